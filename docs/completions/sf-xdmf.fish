complete -c sf-xdmf -l initial -d 'Show the bodies of a model file (\'-\': standard input) in their initial places, without running' -r -F
complete -c sf-xdmf -s o -l output -d 'Directory, or FILE.xmf or FILE.vtkhdf for names that begin with FILE' -r -F
complete -c sf-xdmf -l time -d 'Frames [s]: T, T1,T2,... (nearest), T0:T1, first, last [default: all]' -r
complete -c sf-xdmf -l every -d 'Every N-th of these frames' -r
complete -c sf-xdmf -l subset -d 'Only these bodies (repeatable): BOX* (shell pattern of the whole label), label:NAME, re:^FB1, id:1-10, box:x0,y0,z0,x1,y1,z1, kind:RIGID, material:stone, surf:3' -r
complete -c sf-xdmf -l attr -d 'Arrays in addition to the identities: DISP, VELO, STRESS, REAC, RELV, GAP, ENERGY, MISES, ERROR (estimated error of the stresses of each element) [default: DISP,VELO,REAC,RELV,GAP]' -r
complete -c sf-xdmf -l parts -d 'Families: bodies, points, contacts, edges [default: those that occur]' -r -f -a "bodies\t''
points\t''
contacts\t''
edges\t''"
complete -c sf-xdmf -l format -d 'Format of the files: xdmf, or vtkhdf (ParaView 5.12 and later) [default: by the ending of FILE, else xdmf]' -r -f -a "xdmf\t'`.xmf` with `.xmf.h5`: every ParaView'
vtkhdf\t'`.vtkhdf`: ParaView 5.12 and later'"
complete -c sf-xdmf -l domain -d 'Number of the SOLFEC object in the deck, from 0' -r
complete -c sf-xdmf -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-xdmf -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-xdmf -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-xdmf -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-xdmf -l verify -d 'Verify the checksums of the results or the model before reading; damage is an error (code 3)'
complete -c sf-xdmf -s f -s w -l force -l overwrite -d 'Overwrite files that exist'
complete -c sf-xdmf -l recovered -d 'STRESS and MISES recovered from the centres of elements, in place of those of the elements themselves'
complete -c sf-xdmf -l single -d 'All families in one file (XDMF)'
complete -c sf-xdmf -l copy -d 'Copy contact data instead of linking to the results'
complete -c sf-xdmf -l follow -d 'Rewrite the files while the job runs, until it ends; wait for results'
complete -c sf-xdmf -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-xdmf -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-xdmf -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-xdmf -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sf-xdmf -s V -l version -d 'Print version'
