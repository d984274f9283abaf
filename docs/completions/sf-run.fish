complete -c sf-run -s o -l output -d 'Directory of the results; - packs them to standard output [default: the model\'s own output path; ./sf-out for a model without one]' -r -F
complete -c sf-run -s s -l subdir -d 'Sub-directory of every results directory' -r -F
complete -c sf-run -s i -l interval -d 'Seconds between updates of STATE and state.json [default: 1]' -r
complete -c sf-run -l steps -d 'Stop after N steps in all' -r
complete -c sf-run -l until -d 'Stop at time T [s]; beyond the recorded end the last run is extended' -r
complete -c sf-run -l duration -d 'Run for T more seconds of simulated time: --until the time at which this job begins plus T' -r
complete -c sf-run -l output-interval -d 'Store a frame every DT seconds, instead of the interval of the model (0: every step)' -r
complete -c sf-run -l compress -d 'gzip level of large columns, 0 to 9 [default: as set by OUTPUT, else 0]' -r
complete -c sf-run -l checkpoint-every -d 'Write a checkpoint every T of wall-clock time (90s, 10m, 1h) and at the end of each RUN [default: every 2 s to 10 min, depending on their cost]' -r
complete -c sf-run -l keep -d 'Keep the newest N checkpoints' -r
complete -c sf-run -l max-wall -d 'End after T of wall-clock time with a checkpoint and code 5' -r
complete -c sf-run -l virtual -d 'Run as -np N would, to the same bits, but as threads of this process and without MPI: for trials, not for speed' -r
complete -c sf-run -l set-param -d 'Set a solver parameter in all RUNs whose solver has it (repeatable)' -r
complete -c sf-run -l trace-steps -d 'Write a line of CSV for every step' -r -F
complete -c sf-run -l on-nonconvergence -d 'When a solve misses its tolerance: warn and continue, stop with code 6, or repeat the step with half its length, four times at most [default: as in the deck]' -r -f -a "warn\t''
stop\t''
halve-step\t''"
complete -c sf-run -l dump-locdyn -d 'Write the local dynamics of step STEP (from 1) to FILE in FCLIB form (repeatable)' -r
complete -c sf-run -l set -d 'Define a variable of the deck: a Python literal, otherwise a string (repeatable)' -r
complete -c sf-run -l python2 -d 'Convert Python 2 decks: auto (when only Python 2 can be meant), always, never [default: auto; with --python as it was recorded]' -r -f -a "auto\t'When the deck does not compile as Python 3, or has what only Python 2 means'
always\t''
never\t''"
complete -c sf-run -l root -d 'Run the deck in this directory' -r -F
complete -c sf-run -l pack -d 'Write the results in DIR (or packed results) as one file, and stop: sf-run --pack DIR [OPTIONS] OUT, or -o OUT (nothing or -: standard output)' -r -F
complete -c sf-run -l time -d 'Frames to pack: T, T0:T1, T1,T2,..., first or last [default: all, with the whole step log]' -r
complete -c sf-run -l subset -d 'Bodies to pack, with the constraints among them (repeatable); rules as for sf-xdmf' -r
complete -c sf-run -l max-stdout -d 'Largest packed results on standard output [bytes; K, M, G]' -r
complete -c sf-run -l check-file -d 'Check a model, results, checkpoint or FCLIB file and report problems; code 1 if there are any' -r -F
complete -c sf-run -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-run -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-run -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-run -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-run -s w -s f -l overwrite -l force -d 'Replace existing results'
complete -c sf-run -s c -l continue -d 'Continue from the last checkpoint'
complete -c sf-run -l read -d 'Read results with the deck, write nothing (decks only)'
complete -c sf-run -l force-read -d 'Read results although the deck makes another model (with a warning that names the first difference)'
complete -c sf-run -l no-final-frame -d 'Do not store the state at the end of the last run unless a frame is due then'
complete -c sf-run -l single -d 'Store numbers of bodies and constraints in single precision, in half the room [default: as set by OUTPUT]'
complete -c sf-run -l requeue -d 'On SIGUSR1 and SIGTERM: write a checkpoint and end with code 75, so that a scheduler queues the job again'
complete -c sf-run -l strict-stop -d 'Code 5 when a callback has ended a RUN'
complete -c sf-run -l strict -d 'End with code 3 at the first warning of a step'
complete -c sf-run -l deterministic -d 'Results have the same bits on any number of processes, each of which then solves the whole problem'
complete -c sf-run -l step-recovery -d 'Let a step that was lowered for stability grow back'
complete -c sf-run -l verify -d 'Verify the checksums of the model, and of the results that -c goes on with, before reading; damage is an error (code 3)'
complete -c sf-run -l python -d 'Run the deck that a model or a results directory contains: Python code that can do whatever you can do'
complete -c sf-run -l no-python -d 'Refuse all decks, also one that is named'
complete -c sf-run -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-run -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-run -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-run -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sf-run -s V -l version -d 'Print version'
