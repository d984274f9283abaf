//! sf-history: quantities over time from results, as CSV, TSV, JSON or a plot (commands-and-results.md D, G.4).

mod item;
mod plot;
mod table;
