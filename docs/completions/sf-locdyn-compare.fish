# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_sf_locdyn_compare_global_optspecs
    string join \n verify rtol= atol= match-tol= quantities= top= q/quiet v/verbose j/threads= json progress= color= compat= h/help V/version
end

function __fish_sf_locdyn_compare_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_sf_locdyn_compare_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_sf_locdyn_compare_using_subcommand
    set -l cmd (__fish_sf_locdyn_compare_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -l rtol -d 'Relative tolerance' -r
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -l atol -d 'Absolute tolerance, in the unit of each quantity' -r
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -l match-tol -d 'Largest distance of the points of matching rows [m]' -r
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -l quantities -d 'Quantities to compare: W B V U R base mu [default: those in the files]' -r -f -a "W\t''
B\t''
V\t''
U\t''
R\t''
base\t''
mu\t''"
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -l top -d 'Number of rows to show of each quantity that differs, and of rows without a partner' -r
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -l verify -d 'Verify the checksums of the dumps before reading; damage is an error (code 3)'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -s V -l version -d 'Print version'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -a "solve" -d 'Solve an FCLIB problem or a dump and measure the error'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_needs_command" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -l solver -d 'AUTO, GAUSS_SEIDEL, NEWTON, INTERIOR_POINT, PROXIMAL_NEWTON, CORRECTED_SWEEPS, ADMM, SICONOS, or a JSON object as in model files, which is run once with these settings' -r
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -l tol -d 'Error to reach' -r
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -l maxiter -d 'Largest number of iterations' -r
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -l measure -d 'Measure for --tol: siconos (the error of FCLIB and Siconos) or merit (the merit function)' -r -f -a "siconos\t''
merit\t''"
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -s o -l output -d 'Write the problem with this solution as an FCLIB file' -r -F
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -l verify -d 'Verify the checksums of the problem before reading; damage is an error (code 3)'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -s f -s w -l force -l overwrite -d 'Overwrite a file that exists'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand solve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand help; and not __fish_seen_subcommand_from solve help" -f -a "solve" -d 'Solve an FCLIB problem or a dump and measure the error'
complete -c sf-locdyn-compare -n "__fish_sf_locdyn_compare_using_subcommand help; and not __fish_seen_subcommand_from solve help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
