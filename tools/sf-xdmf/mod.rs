//! sf-xdmf: files for ParaView from results (commands-and-results.md F.2, G.5).

mod family;
mod grid;
mod heavy;
mod markup;
