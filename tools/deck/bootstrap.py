import os, sys
if sys.version_info < (3, 8):
    sys.exit(97)
import socket, types
link = socket.socket(fileno=int(os.environ.pop('SF_DECK_FD')))
link.set_inheritable(False)
reader = open(link.fileno(), 'rb', closefd=False)
def part():
    return reader.read(int(reader.readline()))
python2 = types.ModuleType('solfec.python2')
exec(compile(part(), '<sf-python2>', 'exec'), python2.__dict__)
exec(compile(part(), '<sf-prelude>', 'exec'), {'reader': reader, 'link': link, 'python2': python2, '__name__': 'sf_prelude'})
