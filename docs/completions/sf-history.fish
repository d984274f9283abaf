complete -c sf-history -s r -l requests -d 'More items, from FILE.toml, FILE.json or FILE.csv' -r -F
complete -c sf-history -l time -d 'Frames [s]: T, T1,T2,... (nearest), T0:T1, first, last [default: all]' -r
complete -c sf-history -l every -d 'Every N-th of these frames' -r
complete -c sf-history -l dt -d 'Of these frames, those nearest to times DT apart [s]' -r
complete -c sf-history -l domain -d 'Number of the SOLFEC object in the deck, from 0' -r
complete -c sf-history -l format -d 'Format of the table: csv, tsv, json, npz (numpy), h5 [default: by the ending of FILE, else csv]' -r -f -a "csv\t''
tsv\t''
json\t''
npz\t''
h5\t''"
complete -c sf-history -l precision -d 'Significant digits, 17 at most [default: as many as needed to read back exactly]' -r
complete -c sf-history -l nan -d 'Text for values that do not exist, in CSV and TSV' -r
complete -c sf-history -s o -l output -d 'Write the table to a file' -r -F
complete -c sf-history -l plot -d 'Also draw the columns over time; FILE.svg, FILE.pdf or FILE.png' -r -F
complete -c sf-history -l x -d 'Plot over this item instead of time, as DX@TOP for force over displacement; it is also a column' -r
complete -c sf-history -l log -d 'Logarithmic axes of the plot: x, y or xy' -r -f -a "x\t''
y\t''
xy\t''"
complete -c sf-history -l title -d 'Title of the plot [default: the name of the results]' -r
complete -c sf-history -l legend -d 'Names of the curves, in their order [default: titles of the columns]' -r
complete -c sf-history -l against -d 'Also plot curves of a CSV file, and the differences: its first column is time, the others are named as the items' -r -F
complete -c sf-history -l script -d 'Run a Python script with the reading commands of decks; the results are its object \'solfec\'' -r -F
complete -c sf-history -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-history -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-history -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-history -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-history -l verify -d 'Verify the checksums of the results before reading; damage is an error (code 3)'
complete -c sf-history -l per-step -d 'One row per time step instead of per frame (for BODS CONS STEP ITERS MERIT ERROR WALL and timers)'
complete -c sf-history -l all-domains -d 'All SOLFEC objects of the deck, with first columns domain and run'
complete -c sf-history -l recovered -d 'Stresses recovered from the centres of elements, which are more accurate at nodes and surfaces, in place of those of the elements themselves'
complete -c sf-history -l units -d 'Add a second row with units'
complete -c sf-history -l stats-only -d 'Only the statistics of the columns, as JSON'
complete -c sf-history -l strict -d 'Treat warnings as errors: no such body, point outside, direction not of unit length'
complete -c sf-history -l follow -d 'Follow a running job until it ends'
complete -c sf-history -s f -s w -l force -l overwrite -d 'Overwrite files that exist'
complete -c sf-history -l list -d 'Show what the results hold: bodies, labels, items'
complete -c sf-history -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-history -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-history -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-history -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sf-history -s V -l version -d 'Print version'
