import os, sys
if sys.version_info < (3, 8):
    sys.exit(97)
# Files in the current directory are no modules: one named re.py would stand in for that of Python.
sys.path[:] = [folder for folder in sys.path if folder]
import socket, types
link = socket.socket(fileno=int(os.environ.pop('SF_DECK_FD')))
link.set_inheritable(False)
reader = open(link.fileno(), 'rb', closefd=False)
def part():
    return reader.read(int(reader.readline()))
class Late(types.ModuleType):
    # A module that is compiled when it is first used: few decks need all of them.
    def __init__(self, name):
        super().__init__('solfec.' + name)
        self.__dict__.update(source=part(), HERE='<sf-%s>' % name)
    def __getattr__(self, name):
        source = self.__dict__.pop('source', None)
        if source is None:
            raise AttributeError("module '%s' has no attribute '%s'" % (self.__name__, name))
        exec(compile(source, self.HERE, 'exec'), self.__dict__)
        return getattr(self, name)
sys.modules['solfec'] = solfec = types.ModuleType('solfec')
for name in ('dialect', 'syntax2', 'python2'):
    setattr(solfec, name, Late(name))
exec(compile(part(), '<sf-prelude>', 'exec'), {'reader': reader, 'link': link, 'python2': solfec.python2, '__name__': 'sf_prelude'})
