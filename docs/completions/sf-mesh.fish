# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_sf_mesh_global_optspecs
    string join \n q/quiet v/verbose j/threads= json progress= color= compat= h/help V/version
end

function __fish_sf_mesh_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_sf_mesh_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_sf_mesh_using_subcommand
    set -l cmd (__fish_sf_mesh_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -s V -l version -d 'Print version'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "hex" -d 'Make a block of hexahedra'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "pipe" -d 'Make a straight pipe of hexahedra'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "ellip" -d 'Make an ellipsoid, or a sphere, of tetrahedra'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "rough-hex" -d 'Make a block of hexahedra around meshes and convex surfaces, along their axes of inertia; its ids are 2147483647'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "hull" -d 'Make the convex hull of the nodes of each part, as a closed surface'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "convex" -d 'Make a closed convex surface of each element, for CONVEX_FILE of decks; faces between elements get the surface id -2147483647, which takes no part in contact'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "tet" -d 'Fill closed surfaces, or the boundary of meshes, with tetrahedra; calls TetGen, or Gmsh where only that is installed'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "scale" -d 'Multiply all coordinates by factors about the origin'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "translate" -d 'Move all nodes'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "rotate" -d 'Turn about an axis'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "bend" -d 'Bend meshes about an axis beside them'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "split" -d 'Split meshes by a plane into parts BELOW and ABOVE, or open them along faces between elements'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "merge" -d 'Put the parts of several files into one, and weld them if wanted'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "extract" -d 'Take out a part, elements by volume id or set, or the boundary as a surface'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "overlap" -d 'Choose the parts that touch or overlap others, or those that do not'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "decompose" -d 'Make convex pieces without overlap of a closed surface, for CONVEX_FILE of decks'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "set" -d 'Set volume ids and surface ids, everywhere or in a box, plane or ball; name a part'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "convert" -d 'Write a mesh in another format'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "info" -d 'Show counts, volume, mass centre, inertia, areas of surfaces, and the quality of elements'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "check" -d 'Find inverted, flat, duplicate, non-manifold and dangling things; exit code 1 if there are any'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "view" -d 'Draw a shaded picture as PNG'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "nodes-on-surface" -d 'List the nodes of the boundary faces with a surface id, from 0, one in a line'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "faces-on-plane" -d 'List the faces between elements that lie in a plane, one in a line as node numbers from 0'
complete -c sf-mesh -n "__fish_sf_mesh_needs_command" -f -a "integration-points" -d 'List the integration points of elements or boundary faces, x y z in a line'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -l box -d 'Two opposite corners of a box with sides along the axes [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -l nodes -d 'Text file with eight corners, bottom four and top four: 24 numbers [m]' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -s n -l elements -d 'Elements along the three directions' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -l dx -d 'Relative widths of the elements along the first direction, separated by commas' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -l dy -d 'Relative widths along the second direction' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -l dz -d 'Relative widths along the third direction' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -l volid -d 'Volume id' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -l surfids -d 'Surface ids of bottom, x-, y+, x+, y-, top; or one for all' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hex" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -l point -d 'Centre of the first end [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -l length -d 'Way from there to the centre of the other end [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -l inner -d 'Inner radius [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -l wall -d 'Thickness of the wall [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -s n -l elements -d 'Elements along the axis, around it, and through the wall' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -l volid -d 'Volume id' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -l surfids -d 'Surface ids of the first end, the other end, the inside, the outside; or one for all' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand pipe" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -l center -d 'Centre [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -l radii -d 'Half axes along x, y and z [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -l error -d 'Greatest distance, along the radius, of the middle of an edge from the ellipsoid [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -l volid -d 'Volume id' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -l surfid -d 'Surface id' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand ellip" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -s n -l elements -d 'Elements along the axes of the least, the middle and the greatest second moment' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -l dx -d 'Relative widths of the elements along the first axis, separated by commas' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -l dy -d 'Relative widths along the second axis' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -l dz -d 'Relative widths along the third axis' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -l epsilon -d 'The margin is ten times this, or a millionth of the size if that is more [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rough-hex" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -l surfid -d 'Surface id [default: that of the first face of a part, else 0]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand hull" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convex" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -l volume -d 'Greatest volume of an element [m3]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -l quality -d 'Greatest ratio of the radius of the sphere through the corners to the shortest edge: above 1' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -l volid -d 'Volume id of what is inside a surface; elements of a mesh keep theirs' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand tet" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -s i -l input -d 'Mesh file; - is standard input' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand scale" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -s i -l input -d 'Mesh file; - is standard input' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand translate" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -l point -d 'Point of the axis [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -l axis -d 'Direction of the axis, of any length' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -l angle -d 'Angle, right-handed [degree]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand rotate" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -l point -d 'Point of the axis [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -l axis -d 'Direction of the axis, of any length' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -l angle -d 'Angle, right-handed [degree]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand bend" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l plane -d 'Point of the plane and its normal: six numbers' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l faces -d 'Text file with faces between elements, 3 or 4 node numbers from 0 in a line, as faces-on-plane lists them: the mesh is opened along them' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l surfids -d 'Surface ids of the new faces that look along the normal (of the plane; of the face, counter-clockwise), and against it' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l epsilon -d 'Points nearer to the plane than this are on it [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l topoadj -d 'Open only the connected part of the cut that the point is on'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l no-remesh -d 'Refuse a plane that does not follow the faces of elements'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand split" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -l weld -d 'Make one part of all, and one node of nodes closer than this [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand merge" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -l volid -d 'Elements with one of these volume ids, separated by commas' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -l set -d 'Elements of this named set' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -l surfid -d 'Surface ids, separated by commas' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -l surface -d 'The boundary as a surface; with --surfid the faces with these surface ids only'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand extract" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -l obstacles -d 'Meshes and convex surfaces to compare with' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -l gap -d 'Greatest gap, not positive; 0: touching parts too [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -l epsilon -d 'Points closer than this are the same [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -l not -d 'Choose the parts that do not overlap'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand overlap" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -l volume -d 'Volume of the pieces outside of the surface at most, as part of the volume that it encloses' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -l distance -d 'Distance of faces of the pieces outside of the surface at most [m] [default: a twentieth of its diagonal]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -l pieces -d 'Pieces at most' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand decompose" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l volid -d 'Volume id of the elements' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l surfid -d 'Surface id of the boundary faces' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l box -d 'Only where all corners lie in this box: two opposite corners [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l plane -d 'Only faces in the plane through a point, across a normal: six numbers' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l ball -d 'Only where corners are no farther than this from a point: four numbers, the point and the distance' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l tolerance -d 'Distance within which a corner lies in a box or plane [m] [default: 1e-6 of the size of the mesh]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l name -d 'Name of the part' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand set" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -s o -l output -d 'File to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -l format -d 'Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the ending, else h5]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -l encoding -d 'Numbers as ascii, base64 (vtu) or binary, in formats that have the choice' -r -f -a "ascii\t''
base64\t''
binary\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -l validate -d 'Refuse meshes that could not be computed with: inverted elements, faces of three elements'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -l zlib -d 'Compress (vtu)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand convert" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand info" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand info" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand info" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand info" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand info" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand info" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand info" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand info" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand info" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand info" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand info" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand check" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand check" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand check" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand check" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand check" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand check" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand check" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand check" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand check" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand check" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand check" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -s o -l output -d 'PNG file to write; - is standard output' -r -F
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l size -d 'Width and height in pixels' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l azimuth -d 'Direction of the eye about z, from x [degree]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l elevation -d 'Height of the eye above the horizon [degree]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l by -d 'Colours by surface id, volume id or part: surface, volume, part' -r -f -a "surface\t''
volume\t''
part\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -s f -l force -d 'Overwrite an existing file'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l orthographic -d 'Parallel rays instead of perspective'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l no-edges -d 'No edges of elements and polygons'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l no-axes -d 'No axes with lengths'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l no-legend -d 'No legend'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand view" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand nodes-on-surface" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand nodes-on-surface" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand nodes-on-surface" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand nodes-on-surface" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand nodes-on-surface" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand nodes-on-surface" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand nodes-on-surface" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand nodes-on-surface" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand nodes-on-surface" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand nodes-on-surface" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand nodes-on-surface" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand faces-on-plane" -l plane -d 'Point of the plane and its normal: six numbers' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand faces-on-plane" -l epsilon -d 'Greatest distance of a node from the plane [m]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand faces-on-plane" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand faces-on-plane" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand faces-on-plane" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand faces-on-plane" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand faces-on-plane" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand faces-on-plane" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand faces-on-plane" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand faces-on-plane" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand faces-on-plane" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand faces-on-plane" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand faces-on-plane" -s h -l help -d 'Print help'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand integration-points" -l surfid -d 'Faces with this surface id only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand integration-points" -l volid -d 'Elements with this volume id only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand integration-points" -l from -d 'Format of the input [default: by its ending, else by its first bytes]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand integration-points" -l part -d 'Take this part of the file only' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand integration-points" -l time -d 'Of results: the frame nearest to this time [s] [default: the last]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand integration-points" -s j -l threads -d 'Number of threads [default: $SF_THREADS, else all cores]' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand integration-points" -l progress -d 'Progress on standard error: auto, bar, plain, json, none' -r -f -a "auto\t'A line rewritten in place on a terminal, otherwise at most one plain line a minute'
bar\t'A line rewritten in place'
plain\t'Plain lines, at most one a minute'
json\t'JSON lines'
none\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand integration-points" -l color -d 'Colour of messages: auto, never (also $NO_COLOR)' -r -f -a "auto\t''
never\t''"
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand integration-points" -l compat -d 'Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header' -r
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand integration-points" -l surface -d 'Points of boundary faces instead of those of elements'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand integration-points" -s q -l quiet -d 'No progress and no summary; warnings and errors are still printed'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand integration-points" -s v -l verbose -d 'More detail on standard error (repeatable)'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand integration-points" -l json -d 'The report as one JSON document on standard output; progress as JSON lines on standard error'
complete -c sf-mesh -n "__fish_sf_mesh_using_subcommand integration-points" -s h -l help -d 'Print help'
