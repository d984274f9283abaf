"""Python 2 decks: which decks they are, and the names that keep their meaning.

The names exported here hide the built-in ones: `print` with the soft space, `range`, `map`, `filter` and `zip` that
return lists, `round` away from zero; or they stand for what has another meaning now, as `py2div`, which floors the
quotient of two integers. A deck converted by `syntax2` imports them by `from solfec.python2 import *; activate()`.
docs/decks.md has the table.
"""
import builtins
import os
import re
import sys
import types
import warnings

from solfec import dialect, syntax2

__all__ = ['activate', 'apply', 'basestring', 'cmp', 'error2', 'eval', 'exec2', 'execfile', 'file', 'filter', 'input',
           'long', 'map', 'open', 'print', 'py2div', 'py2list', 'py2old', 'py2over', 'range', 'raw_input', 'reduce',
           'round', 'unichr', 'unicode', 'xrange', 'zip']

DECLARED_3 = re.compile(r'^[ \t]*#[ \t]*solfec:[ \t]*python3\b', re.M)
COOKIE = re.compile(br'^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)', re.M)

# ---- reading sources -----------------------------------------------------------------------------------------------


def decode(data):
    """Text of a source file, by its coding cookie, else UTF-8, else Latin-1."""
    cookie = COOKIE.search(b'\n'.join(data.split(b'\n')[:2]))
    names = ([cookie.group(1).decode('ascii')] if cookie else []) + ['utf-8-sig', 'latin-1']
    for name in names:
        try:
            text = data.decode(name)
            break
        except (LookupError, UnicodeDecodeError):
            continue
    text = text.replace('\r\n', '\n').replace('\r', '\n')
    if cookie:  # the text is compiled as text: a cookie would only be an error
        lines = text.split('\n')
        lines[:2] = [re.sub(r'coding[:=]', 'coding ', line) if line.lstrip().startswith('#') else line
                     for line in lines[:2]]
        text = '\n'.join(lines)
    return text if text.endswith('\n') else text + '\n'


def compile_text(text, filename):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        return compile(text, filename, 'exec', dont_inherit=True)


def compile_source(data, filename, mode, among_python2=False, looked_at=True):
    """(code, why it is Python 2 or ''). `mode` is auto, always or never; `among_python2`: the deck it belongs to is Python 2;
    `looked_at`: what compiles as both is searched for signs of Python 2 and for what differs there."""
    text = decode(data)
    if mode == 'never' or mode == 'auto' and DECLARED_3.search(text):
        return compile(text, filename, 'exec', dont_inherit=True), ''
    if mode == 'always' or among_python2:
        return compile_text(syntax2.convert(text), filename), 'as was asked for'
    try:
        code = compile_text(text, filename)
    except SyntaxError as first:
        try:
            return compile_text(syntax2.convert(text), filename), 'by its syntax'
        except SyntaxError as second:
            # the error that is farther down is the one the author has to mend
            farther = (second.lineno or 0) > (first.lineno or 0)
            error = second if farther else first
            error.filename = filename
            raise error from None
    return look_at(text, filename, code) if looked_at else (code, '')


def look_at(text, filename, code):
    """As `compile_source`, of what compiles as Python 3."""
    import ast
    tree = ast.parse(text)
    found = dialect.signs(tree, filename)
    if found:
        try:
            return compile_text(syntax2.convert(text), filename), "by '%s' in line %d" % (found[0].text, found[0].line)
        except SyntaxError:
            return code, ''
    found = dialect.differences(tree)
    if found:
        places = '; '.join(['%d: %s' % (found[0].line, found[0].text)] +
                           ['line %d: %s' % (one.line, one.text) for one in found[1:]])
        remark('%s:%s; it is taken as Python 3: confirm that by a line "# solfec: python3" in it, or choose its old '
               'meaning by --python2 always' % (filename, places))
    return code, ''


def remark(text):
    """Tells the user; whoever runs decks puts something better in its place."""
    sys.stderr.write(text + '\n')

# ---- names of Python 2 ---------------------------------------------------------------------------------------------

basestring = unicode = str
long = int
unichr = chr
xrange = builtins.range


def py2div(a, b):
    """`a / b` of Python 2: the quotient of two integers is floored."""
    if isinstance(a, int) and isinstance(b, int):
        return a // b
    if integral(a) and integral(b):
        return a // b
    return a / b


def py2over(a, b):
    """What `a /= b` of Python 2 makes of `a`; arrays are changed where they are."""
    if integral(a) and integral(b):
        a //= b
    else:
        a /= b
    return a


def integral(x):
    """Integers, and integer arrays of numpy."""
    return isinstance(x, int) or getattr(getattr(x, 'dtype', None), 'kind', '') in ('i', 'u')


def py2list(x):
    """Lists in place of the views of a dictionary."""
    views = (type({}.keys()), type({}.values()), type({}.items()))
    return list(x) if isinstance(x, views) else x


def py2old(x, name):
    """A method that Python 3 has dropped: the object's own if it has one, else what does the same now."""
    if hasattr(x, name):
        return getattr(x, name)
    if name == 'next':
        return x.__next__
    if name == 'has_key':
        return x.__contains__
    view = getattr(x, name[len('iter'):])
    return lambda *args: iter(view(*args))


def range(*args):
    return list(builtins.range(*args))


def zip(*args):
    return list(builtins.zip(*args))


def map(function, *sequences):
    if len(sequences) == 1:
        return list(sequences[0]) if function is None else [function(x) for x in sequences[0]]
    from itertools import zip_longest
    rows = zip_longest(*sequences)
    return list(rows) if function is None else [function(*row) for row in rows]


def filter(function, sequence):
    kept = [x for x in sequence if (x if function is None else function(x))]
    if isinstance(sequence, str):
        return ''.join(kept)
    return tuple(kept) if isinstance(sequence, tuple) else kept


def reduce(*args):
    import functools
    return functools.reduce(*args)


def cmp(a, b):
    return (a > b) - (a < b)


def apply(function, args=(), keywords=None):
    return function(*args, **(keywords or {}))


def round(x, digits=0):
    """Half away from zero, as a float."""
    from decimal import Decimal, ROUND_HALF_UP
    if x != x or x in (float('inf'), float('-inf')):
        return float(x)
    return float(Decimal(float(x)).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP))


raw_input = builtins.input


def input(prompt=''):
    frame = sys._getframe(1)
    return eval(builtins.input(prompt), frame.f_globals, frame.f_locals)


def eval(code, space=None, local=None):
    """Of text in the meaning of Python 2, by default in the caller's names."""
    if space is None:
        frame = sys._getframe(1)
        space, local = frame.f_globals, frame.f_locals
    if isinstance(code, str):
        code = syntax2.convert(code.strip())
        space.setdefault('__builtins__', names())
    return builtins.eval(code, space, space if local is None else local)


def open(name, mode='r', buffering=-1, *args, **keywords):
    """Text files of any bytes, and the mode 'U'."""
    mode = mode.replace('U', '') or 'r'
    mode = mode if mode[0] in 'rwaxb' else 'r' + mode
    if 'b' not in mode and not args and 'errors' not in keywords:
        keywords['errors'] = 'surrogateescape'
    return builtins.open(name, mode, buffering, *args, **keywords)


file = open


def error2(kind, value=None, trace=None):
    """The exception of `raise kind, value, trace`."""
    if isinstance(value, BaseException):
        error = value
    elif isinstance(kind, BaseException):
        error = kind
    elif value is None:
        error = kind()
    else:
        error = kind(*value) if isinstance(value, tuple) else kind(value)
    return error.with_traceback(trace)


def exec2(code, space=None, local=None):
    """The `exec` statement: of text, code, or an open file, by default in the caller's names."""
    if isinstance(code, tuple):
        code, space, local = (code + (None, None))[:3]
    if space is None:
        frame = sys._getframe(1)
        space, local = frame.f_globals, frame.f_locals
    name = getattr(code, 'name', '<string>')
    if hasattr(code, 'read'):
        code = code.read()
    run2(code, name, space, local)


def execfile(path, space=None, local=None):
    """Runs a file in the caller's names."""
    if space is None:
        frame = sys._getframe(1)
        space, local = frame.f_globals, frame.f_locals
    with builtins.open(path, 'rb') as opened:
        run2(opened.read(), path, space, local)


def run2(code, name, space, local):
    if isinstance(code, str):
        code = code.encode('utf-8', 'surrogateescape')
    if isinstance(code, bytes):
        code, _ = compile_source(code, name, 'auto', among_python2=True)
    space.setdefault('__builtins__', names())
    exec(code, space, space if local is None else local)


class SoftStream:
    """A text stream with the `softspace` of Python 2: any write resets it."""

    def __init__(self, stream):
        self.stream, self.softspace = stream, 0

    def write(self, text):
        self.softspace = 0
        return self.stream.write(text)

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def __iter__(self):
        return iter(self.stream)


def text2(x):
    """`str(x)`; floats with 12 digits."""
    if type(x) is not float:
        return str(x)
    text = '%.12g' % x
    return text if any(c in text for c in '.en') else text + '.0'


def soft(stream, value):
    try:
        stream.softspace = value
    except AttributeError:
        pass


def print(*items, **keywords):
    """The print statement; `end=' '` stands for its trailing comma."""
    if not set(keywords) <= {'file', 'end'} or keywords.get('end', '\n') not in ('\n', ' '):
        return builtins.print(*items, **keywords)
    stream = keywords.get('file') or sys.stdout
    for item in items:
        if getattr(stream, 'softspace', 0):
            stream.write(' ')
        text = text2(item)
        stream.write(text)
        ends_line = isinstance(item, str) and text[-1:].isspace() and text[-1:] != ' '
        soft(stream, 0 if ends_line else 1)
    if keywords.get('end', '\n') == '\n':
        stream.write('\n')
        soft(stream, 0)


def names():
    """Built-in names of a Python 2 module."""
    space = dict(vars(builtins))
    space.update({name: globals()[name] for name in __all__ if name != 'activate'}, __import__=import2)
    return space


def import2(name, globals=None, locals=None, fromlist=(), level=0):
    """`import`: a module of the own package comes before others of its name."""
    package = (globals or {}).get('__package__')
    if level == 0 and package and (globals or {}).get('absolute_import') is None:
        import importlib.util
        if importlib.util.find_spec('%s.%s' % (package, name.split('.')[0])):
            level = 1
            if not fromlist:
                builtins.__import__(name, globals, locals, fromlist, level)
                return sys.modules['%s.%s' % (package, name.split('.')[0])]
    return builtins.__import__(name, globals, locals, fromlist, level)

# ---- the process in Python 2 mood ----------------------------------------------------------------------------------

active = False


def activate():
    """Patches what belongs to the process: standard output, random streams, pickles, renamed modules. Once."""
    global active
    if active:
        return
    active = True
    import itertools
    import random
    import time
    sys.stdout, sys.stderr = SoftStream(sys.stdout), SoftStream(sys.stderr)
    random.Random._randbelow = lambda self, n: int(self.random() * n)
    if not hasattr(time, 'clock'):
        time.clock = time.process_time
    sys.maxint = sys.maxsize
    itertools.izip, itertools.imap, itertools.ifilter = builtins.zip, builtins.map, builtins.filter
    patch_pickle()
    rename_modules()


def finish():
    """A pending soft space ends as a new line."""
    if active and getattr(sys.stdout, 'softspace', 0):
        sys.stdout.write('\n')


def patch_pickle():
    """Pickles may be opened in text mode, and may come from Python 2."""
    import pickle
    load, dump = pickle.load, pickle.dump

    def load2(file, **keywords):
        keywords.setdefault('encoding', 'latin-1')
        return load(getattr(file, 'buffer', file), **keywords)

    def dump2(obj, file, protocol=0, **keywords):
        file.flush()
        return dump(obj, getattr(file, 'buffer', file), protocol, **keywords)

    pickle.load, pickle.dump = load2, dump2


def rename_modules():
    import importlib
    renamed = {'cPickle': 'pickle', 'StringIO': 'io', 'cStringIO': 'io', 'Queue': 'queue',
               'ConfigParser': 'configparser', '__builtin__': 'builtins'}
    for old, new in renamed.items():
        sys.modules.setdefault(old, importlib.import_module(new))
    import subprocess
    commands = types.ModuleType('commands')
    commands.getoutput, commands.getstatusoutput = subprocess.getoutput, subprocess.getstatusoutput
    sets = types.ModuleType('sets')
    sets.Set, sets.ImmutableSet = set, frozenset
    sys.modules.setdefault('commands', commands)
    sys.modules.setdefault('sets', sets)


class Importer:
    """Puts modules of the user through the same conversion; the standard library and site-packages are left alone."""

    def __init__(self, mode, among_python2, folder):
        import sysconfig
        from importlib.machinery import PathFinder, SourceFileLoader
        self.finder, self.loader = PathFinder, SourceFileLoader
        places = [sysconfig.get_paths()[key] for key in ('stdlib', 'platstdlib', 'purelib', 'platlib')]
        self.foreign = tuple(place.rstrip('/') + '/' for place in places)
        self.mode, self.among_python2 = mode, among_python2
        self.own = tuple(os.path.join(os.path.realpath(place), '') for place in (folder, os.curdir))

    def find_spec(self, name, path=None, target=None):
        spec = self.finder.find_spec(name, path, target)
        if spec is None or type(spec.loader) is not self.loader or spec.origin.startswith(self.foreign):
            return spec
        spec.loader = deck_loader(self.loader, name, spec.origin, self)
        return spec

    def looks_at(self, origin):
        """Whether a module belongs to the deck: libraries know which Python they are for."""
        place = os.path.realpath(origin)
        return place.startswith(self.own) and 'site-packages' not in place and 'dist-packages' not in place


def deck_loader(base, name, origin, importer):
    class DeckLoader(base):
        def get_code(self, fullname):
            code, self.is2 = compile_source(self.get_data(origin), origin, importer.mode, importer.among_python2,
                                            importer.looks_at(origin))
            return code

        def exec_module(self, module):
            code = self.get_code(module.__name__)
            if self.is2:
                activate()
                module.__dict__['__builtins__'] = names()
            exec(code, module.__dict__)

    return DeckLoader(name, origin)
