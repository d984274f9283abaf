complete -c sf-mm-export -l body -d 'Body, by its id or label [default: all of finite elements]' -r
complete -c sf-mm-export -l at-frame -d 'Take total Lagrangian bodies as they are in the frame of results nearest to a time [s]' -r
complete -c sf-mm-export -l domain -d 'Number of the SOLFEC object in the deck, from 0' -r
complete -c sf-mm-export -s M -l mass -d 'File of the mass [kg]; - is standard output' -r -F
complete -c sf-mm-export -s K -l stiffness -d 'File of the stiffness [N/m]; - is standard output' -r -F
complete -c sf-mm-export -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mm-export -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mm-export -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mm-export -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mm-export -l symmetric -d 'The lower triangle under a header \'symmetric\' (this is the default)'
complete -c sf-mm-export -l general -d 'All entries under a header \'general\''
complete -c sf-mm-export -l npz -d 'Files of scipy.sparse.load_npz, with all entries'
complete -c sf-mm-export -l h5 -d 'HDF5 files (docs/formats/matrices.md), with all entries; also of files named .h5'
complete -c sf-mm-export -s f -s w -l force -l overwrite -d 'Overwrite files that exist'
complete -c sf-mm-export -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mm-export -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mm-export -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mm-export -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sf-mm-export -s V -l version -d 'Print version'
