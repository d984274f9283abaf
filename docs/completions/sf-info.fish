complete -c sf-info -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-info -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-info -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-info -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-info -l no-check -d 'Do not read the whole file to verify it'
complete -c sf-info -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-info -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-info -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-info -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sf-info -s V -l version -d 'Print version'
