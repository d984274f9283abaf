complete -c sf-build -s o -l output -d 'File for the model; - is standard output' -r -F
complete -c sf-build -s s -l subdir -d 'Sub-directory of all results: SUBDIR() and the output paths' -r
complete -c sf-build -l set -d 'Define a variable of the deck: a Python literal, otherwise a string (repeatable)' -r
complete -c sf-build -l python2 -d 'Convert Python 2 decks: auto (when only Python 2 can be meant), always, never' -r -f -a "auto\t'When the deck does not compile as Python 3, or has what only Python 2 means'
always\t''
never\t''"
complete -c sf-build -l root -d 'Run the deck in this directory' -r -F
complete -c sf-build -l domain -d 'Only this SOLFEC object: its name or its number from 0' -r
complete -c sf-build -l tabulate-springs -d 'Replace functions of PUT_SPRING by tables of N points between their limits' -r
complete -c sf-build -l export -d 'Write the model as text of another format instead' -r -f -a "mbfcp\t'The text of MBFCP_EXPORT'
json\t'A readable summary'"
complete -c sf-build -l deps -d 'Write a Makefile rule with all files the deck read' -r -F
complete -c sf-build -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-build -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-build -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-build -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-build -s f -s w -l force -l overwrite -d 'Overwrite FILE; write binary to a terminal'
complete -c sf-build -l convert-deck -d 'Write the deck as Python 3 and stop'
complete -c sf-build -l no-provenance -d 'Write no provenance, so that equal models give equal files'
complete -c sf-build -l check -d 'Run the deck, check the model and its initial state, write nothing; code 1 if there are problems'
complete -c sf-build -l dry-run -d 'Do everything except writing'
complete -c sf-build -l list -d 'Print a summary of the model, write nothing'
complete -c sf-build -l allow-live -d 'Also write models that need functions of their deck; sf-run then runs the deck with them'
complete -c sf-build -l drop-callbacks -d 'Omit functions of CALLBACK and of failing solvers, with a warning for each'
complete -c sf-build -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-build -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-build -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-build -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sf-build -s V -l version -d 'Print version'
