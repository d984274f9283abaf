# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_sf_modal_global_optspecs
    string join \n body= at-frame= domain= n/number= rigid= tol= max-iter= o/output= csv xdmf= scale= check= f/force q/quiet v/verbose j/threads= json progress= color= compat= h/help V/version
end

function __fish_sf_modal_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_sf_modal_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_sf_modal_using_subcommand
    set -l cmd (__fish_sf_modal_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c sf-modal -n "__fish_sf_modal_needs_command" -l body -d 'Body, by its id or label [default: all of finite elements]' -r
complete -c sf-modal -n "__fish_sf_modal_needs_command" -l at-frame -d 'Take total Lagrangian bodies as they are in the frame of results nearest to a time [s]' -r
complete -c sf-modal -n "__fish_sf_modal_needs_command" -l domain -d 'Number of the SOLFEC object in the deck, from 0' -r
complete -c sf-modal -n "__fish_sf_modal_needs_command" -s n -l number -d 'Number of modes, rigid ones included' -r
complete -c sf-modal -n "__fish_sf_modal_needs_command" -l rigid -d 'The six rigid modes: analytic (exact, with eigenvalues of zero), or none (left out of the table and of files; then --number counts elastic modes)' -r -f -a "analytic\t''
none\t''"
complete -c sf-modal -n "__fish_sf_modal_needs_command" -l tol -d 'Largest relative residual of a mode' -r
complete -c sf-modal -n "__fish_sf_modal_needs_command" -l max-iter -d 'Largest number of restarts' -r
complete -c sf-modal -n "__fish_sf_modal_needs_command" -s o -l output -l base-out -d 'Keep the modes of one body in a file (docs/formats/modes.md)' -r -F
complete -c sf-modal -n "__fish_sf_modal_needs_command" -l xdmf -d 'Write mode shapes for ParaView, a step for each mode' -r -F
complete -c sf-modal -n "__fish_sf_modal_needs_command" -l scale -d 'Largest displacement of a mode shape, as a part of the size of the body' -r
complete -c sf-modal -n "__fish_sf_modal_needs_command" -l check -d 'Only tell whether the modes in a file are those of the body (exit code 1: they are not)' -r -F
complete -c sf-modal -n "__fish_sf_modal_needs_command" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-modal -n "__fish_sf_modal_needs_command" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-modal -n "__fish_sf_modal_needs_command" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-modal -n "__fish_sf_modal_needs_command" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-modal -n "__fish_sf_modal_needs_command" -l csv -d 'Table as comma-separated values'
complete -c sf-modal -n "__fish_sf_modal_needs_command" -s f -s w -l force -l overwrite -d 'Overwrite files that exist'
complete -c sf-modal -n "__fish_sf_modal_needs_command" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-modal -n "__fish_sf_modal_needs_command" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-modal -n "__fish_sf_modal_needs_command" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-modal -n "__fish_sf_modal_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sf-modal -n "__fish_sf_modal_needs_command" -s V -l version -d 'Print version'
complete -c sf-modal -n "__fish_sf_modal_needs_command" -a "pod" -d 'Make a base of displacements that results show (proper orthogonal decomposition)'
complete -c sf-modal -n "__fish_sf_modal_needs_command" -a "register" -d 'Put a base into a model'
complete -c sf-modal -n "__fish_sf_modal_needs_command" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sf-modal -n "__fish_sf_modal_using_subcommand pod" -l from -d 'Results: the directory of a run, or its NAME.sfr.h5' -r -F
complete -c sf-modal -n "__fish_sf_modal_using_subcommand pod" -l subset -d 'Bodies of equal meshes, by the rules of sf-xdmf --subset (repeatable) [default: all of finite elements]' -r
complete -c sf-modal -n "__fish_sf_modal_using_subcommand pod" -s n -l number -d 'Number of vectors, six rigid ones included' -r
complete -c sf-modal -n "__fish_sf_modal_using_subcommand pod" -s o -l output -d 'File of the base (docs/formats/modes.md)' -r -F
complete -c sf-modal -n "__fish_sf_modal_using_subcommand pod" -l domain -d 'Number of the SOLFEC object in the deck, from 0' -r
complete -c sf-modal -n "__fish_sf_modal_using_subcommand pod" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-modal -n "__fish_sf_modal_using_subcommand pod" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-modal -n "__fish_sf_modal_using_subcommand pod" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-modal -n "__fish_sf_modal_using_subcommand pod" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-modal -n "__fish_sf_modal_using_subcommand pod" -s f -s w -l force -l overwrite -d 'Overwrite a file that exists'
complete -c sf-modal -n "__fish_sf_modal_using_subcommand pod" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-modal -n "__fish_sf_modal_using_subcommand pod" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-modal -n "__fish_sf_modal_using_subcommand pod" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-modal -n "__fish_sf_modal_using_subcommand pod" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sf-modal -n "__fish_sf_modal_using_subcommand register" -l label -d 'Label of the base' -r
complete -c sf-modal -n "__fish_sf_modal_using_subcommand register" -l body -d 'Confine a body to the base, by its id or label' -r
complete -c sf-modal -n "__fish_sf_modal_using_subcommand register" -l form -d 'Formulation of that body: BC-MODAL, BC-RO' -r
complete -c sf-modal -n "__fish_sf_modal_using_subcommand register" -s o -l output -d 'Model file with the base; - is standard output' -r -F
complete -c sf-modal -n "__fish_sf_modal_using_subcommand register" -l domain -d 'Number of the SOLFEC object in the deck, from 0' -r
complete -c sf-modal -n "__fish_sf_modal_using_subcommand register" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-modal -n "__fish_sf_modal_using_subcommand register" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-modal -n "__fish_sf_modal_using_subcommand register" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-modal -n "__fish_sf_modal_using_subcommand register" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-modal -n "__fish_sf_modal_using_subcommand register" -s f -s w -l force -l overwrite -d 'Overwrite a file that exists'
complete -c sf-modal -n "__fish_sf_modal_using_subcommand register" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-modal -n "__fish_sf_modal_using_subcommand register" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-modal -n "__fish_sf_modal_using_subcommand register" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-modal -n "__fish_sf_modal_using_subcommand register" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sf-modal -n "__fish_sf_modal_using_subcommand help; and not __fish_seen_subcommand_from pod register help" -f -a "pod" -d 'Make a base of displacements that results show (proper orthogonal decomposition)'
complete -c sf-modal -n "__fish_sf_modal_using_subcommand help; and not __fish_seen_subcommand_from pod register help" -f -a "register" -d 'Put a base into a model'
complete -c sf-modal -n "__fish_sf_modal_using_subcommand help; and not __fish_seen_subcommand_from pod register help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
