"""Runs a deck: the Python side of the deck protocol (docs/decks.md).

It knows no command by name: the first frame brings the table of commands and classes, and every call goes to the
program that started this process. Variables given: `reader`, the open stream; `link`, its socket; `python2`, the
module of Python 2 decks.
"""
import _io
import array
import atexit
import collections
import functools
import gc
import json
import linecache
import math
import operator
import os
import re
import reprlib
import select
import signal
import struct
import sys
import time
import traceback
import types
import weakref

HERE = '<sf-prelude>'
OWN = (HERE, python2.HERE, python2.dialect.HERE, python2.syntax2.HERE)
HEAD = struct.Struct('<BIQ')
CALL, RESULT, ERROR, CALLBACK, RETURNED, RAISED, START, END, LATER, NEXT, SPRINGS, FORCES, PLACES = range(1, 14)
BEFORE_ANSWER = frozenset((CALLBACK, NEXT, SPRINGS, PLACES))
SPRING = struct.Struct('<Qdd')
PLACE = struct.Struct('<ddd')
TRACE = os.environ.get('SF_TRACE', '') not in ('', '0')
QUOTED = json.encoder.encode_basestring_ascii
TO_JSON = json.JSONEncoder(allow_nan=False, separators=(',', ':')).encode
FROM_JSON = json.JSONDecoder().raw_decode
NUMBERS = frozenset((float, int))
LONG = 8  # sequences from this length on go as raw numbers if they can

# ---- transport -----------------------------------------------------------------------------------------------------


held = bytearray()  # frames that have not gone yet
ROOM = 1 << 16
ended = False  # the program has been told of the end and serves no calls any more


def hold(kind, header, raw=b''):
    """A frame that goes with the next one that is sent, or when there are many."""
    global held
    if ended:
        raise RuntimeError('the deck has ended: its commands are no longer served')
    text = header.encode('ascii')
    held += HEAD.pack(kind, len(text), len(raw)) + text + raw
    if len(held) > ROOM:
        in_one_piece(flush)


def send(kind, header, raw=b''):
    hold(kind, header, raw)
    flush()


exchanging = False  # a frame goes, or an answer is awaited: an exception now would lose the place in the stream
asked_to_leave = False  # meanwhile


def flush():
    global held
    frames, held = held, bytearray()
    try:
        link.sendall(frames)
    except OSError:  # nobody listens any more
        os._exit(1)


def in_one_piece(work):
    """Does what the program's wish for the end must not interrupt."""
    global exchanging
    before, exchanging = exchanging, True
    work()
    exchanging = before
    if asked_to_leave and not before:
        leave()


def receive():
    kind, length, raw = HEAD.unpack(read(HEAD.size))
    value = FROM_JSON(read(length).decode('utf-8'))[0] if length else None
    return kind, value, read(raw)


def read(size):
    data = reader.read(size) if size else b''
    if len(data) < size:
        os._exit(1)
    return data

# ---- values --------------------------------------------------------------------------------------------------------


def encode(value, raw):
    """JSON text of a value, written here because an encoder made anew for each call costs more than the call."""
    kind = type(value)
    if kind is float:
        return repr(value) if math.isfinite(value) else '{"f":"%r"}' % value
    if kind is int:
        return repr(value)
    if kind is tuple or kind is list:
        return encode_sequence(value, raw)
    if kind in handle_types:
        return value._text
    if kind is str:
        return QUOTED(value) if value.isascii() else encode_text(value)
    if isinstance(value, (Function, File, Tuples, Handle)):
        return value._json()
    if value is None or kind is bool:
        return TO_JSON(value)
    for exact in (float, int, str):
        if isinstance(value, exact):
            return encode(exact(value), raw)
    if hasattr(value, 'dtype') and hasattr(value, 'tolist'):
        return encode_array(value, raw)
    for convert in (operator.index, float):
        try:
            return encode(convert(value), raw)
        except (TypeError, ValueError):
            pass
    if callable(value):
        return encode_other('function')
    if isinstance(value, (bytes, dict)):
        return encode_other(kind.__name__)
    try:
        return encode_sequence(list(value), raw)
    except TypeError:
        return encode_other(kind.__name__)


def is_text(text):
    try:
        text.encode('utf-8')
    except UnicodeEncodeError:  # a name of a file in another encoding
        return False
    return True


def encode_text(text):
    if not is_text(text):
        return encode_other('text that is not Unicode')
    return TO_JSON(text)


def encode_other(kind):
    """Something commands cannot use."""
    return TO_JSON({'x': kind})


def encode_sequence(values, raw):
    if len(values) >= LONG:
        for code in 'd' if type(values[0]) is float else 'qd':
            try:
                return encode_raw(code, array.array(code, values), len(values), raw)
            except (TypeError, OverflowError, ValueError):
                pass
    elif NUMBERS.issuperset(map(type, values)):
        text = ','.join(map(repr, values))
        if 'n' not in text:  # as in inf and nan
            return '[' + text + ']'
    return '[%s]' % ','.join([encode(value, raw) for value in values])


def encode_array(value, raw):
    """Arrays of numpy, by the buffer protocol when their numbers are f64 or i64."""
    view = None
    try:
        view = memoryview(value)
    except (TypeError, ValueError, BufferError):
        pass
    if view is not None and view.ndim and view.c_contiguous and view.itemsize == 8 and view.format in ('d', 'l', 'q'):
        return encode_raw('d' if view.format == 'd' else 'q', view.cast('B'), view.nbytes // 8, raw)
    return encode(value.tolist(), raw)


def encode_raw(code, data, count, raw):
    place = len(raw)
    raw += memoryview(data).cast('B')
    return '{"a":"%s","n":%d,"o":%d}' % (code, count, place)


def decode(value, raw):
    if isinstance(value, list):
        return [decode(item, raw) for item in value]
    if not isinstance(value, dict):
        return value
    if 'h' in value:
        return make_handle(*value['h'])
    if 'names' in value:
        return named(value, raw)
    if 't' in value:
        return tuple(decode(item, raw) for item in value['t'])
    if 'a' in value:
        numbers = array.array(value['a'])
        numbers.frombytes(raw[value['o']:value['o'] + 8 * value['n']])
        return numbers.tolist()
    return float(value['f'])

named_tuples = {}


def named(value, raw):
    """A tuple with names, and one attribute more."""
    names = tuple(value['names'])
    if names not in named_tuples:
        named_tuples[names] = type('Named', (collections.namedtuple('Named', names),), {})
    made = named_tuples[names](*[decode(item, raw) for item in value['t']])
    attribute, more = value['more']
    setattr(made, attribute, decode(more, raw))
    return made

# ---- calls ---------------------------------------------------------------------------------------------------------


class LiveError(BaseException):
    """The deck needs live execution: not an Exception, so that a deck does not swallow it by accident."""


class Stop(BaseException):
    """The run was asked to end: code of the deck after RUN must not go on."""


class SolverError(RuntimeError):
    """A solver failed and was asked to stop."""
    __module__ = 'solfec'


class PenetrationError(RuntimeError):
    """Bodies overlap deeper than UNPHYSICAL_PENETRATION allows."""
    __module__ = 'solfec'


ERRORS = {kind.__name__: kind for kind in
          (TypeError, ValueError, RuntimeError, OSError, LiveError, Stop, SolverError, PenetrationError)}


places = {}  # JSON text of names of files


lines = {}  # by the number of a code object: the object, and the line of each place in it


def line_of(frame):
    """The line in which a frame is: `f_lineno` counts from the start of its code at every call."""
    code, place = frame.f_code, frame.f_lasti
    known = lines.get(id(code))
    if known is None:
        if len(lines) > 1000:
            lines.clear()
        known = lines[id(code)] = (code, {})
    line = known[1].get(place)
    if line is None:
        line = known[1][place] = frame.f_lineno or 0
    return line


def call_text(what, target, args, keywords, raw, frame):
    """JSON text of a call from `frame` without its end; `target` is JSON text."""
    args = ','.join([value._text if type(value) in handle_types else encode(value, raw) for value in args])
    named = ','.join(['%s:%s' % (TO_JSON(name), encode(keywords[name], raw)) for name in keywords]) if keywords else ''
    while frame is not None and frame.f_code.co_filename in OWN:
        frame = frame.f_back
    name, line = (frame.f_code.co_filename, line_of(frame)) if frame else ('', 0)
    file = places.get(name)
    if file is None:
        file = places[name] = TO_JSON(name)
    return f'["{what}",{file},{line},{target},[{args}],{{{named}}}'


def ask(what, target, args=(), keywords=None):
    """The answer to a call, or the exception of an earlier one that was put off."""
    global put_off, exchanging
    raw = bytearray()
    text = call_text(what, target, args, keywords, raw, sys._getframe(2))
    exchanging = True
    if dropped:
        hold(LATER, '["release","",0,null,[%s],{},null]' % ','.join(map(str, dropped)))
        del dropped[:]
    send(CALL, text + ']', raw)
    kind, answer, raw = receive()
    while kind in BEFORE_ANSWER:
        if kind == SPRINGS:
            serve(spring_forces, raw)
        elif kind == CALLBACK:
            serve(returned, answer, raw)
        elif kind == PLACES:
            serve(field_values, answer, raw)
        else:
            take_numbers(answer)
        kind, answer, raw = receive()
    put_off = exchanging = False
    if of_springs:
        of_springs.clear()
    if asked_to_leave:
        leave()
    if kind == RESULT:
        return decode(answer, raw)
    if answer.get('raised'):
        raise raised.pop()
    error = ERRORS.get(answer['type'], RuntimeError)(answer['text'])
    error.from_command = True
    raise error

# ---- trace (SF_TRACE) -----------------------------------------------------------------------------------------------

SHORT = reprlib.Repr()
SHORT.maxlist = SHORT.maxtuple = SHORT.maxarray = 8
SHORT.maxstring = SHORT.maxother = 80


def traced(name, function, form='(%s)'):
    """The function, which tells when it was called, with what, what it gave and how long it took."""
    def call(*args, **keywords):
        rest = list(args)
        text = name(rest)
        words = [SHORT.repr(value) for value in rest] + ['%s=%s' % (k, SHORT.repr(v)) for k, v in keywords.items()]
        text += form % ', '.join(words) if form else ''
        start = time.perf_counter()
        try:
            result = function(*args, **keywords)
        except BaseException as error:
            tell(text, '%s: %s' % (type(error).__name__, error), start)
            raise
        tell(text, SHORT.repr(result), start)
        return result
    return call


def tell(text, result, start):
    spent = time.perf_counter() - start
    spent = '%d us' % (1e6 * spent) if spent < 0.01 else '%.3g ms' % (1e3 * spent) if spent < 1 else '%.3g s' % spent
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename in OWN:
        frame = frame.f_back
    place = '%s:%d ' % (frame.f_code.co_filename, frame.f_lineno or 0) if frame else ''
    line = '%s%s -> %s  %s' % (place, text, result, spent)
    os.write(2, (' '.join(line.split('\n')) + '\n').encode('utf-8', 'backslashreplace'))

# ---- calls that are put off ----------------------------------------------------------------------------------------

put_off = False  # calls went since the last answer
numbers = {}  # what the next object will be called: of shapes under None, of bodies under the SOLFEC object


def take_numbers(pairs):
    numbers.update(pairs)


patient = False  # no more calls are put off


def settle():
    """Waits for the calls that were put off."""
    if put_off:
        ask('wait', 'null')


def may_catch(frame):
    """Whether a function of the deck that is under way has a `try` or `with`; unknown before Python 3.11."""
    code = frame.f_code
    while code is not run.__code__:
        if getattr(code, 'co_exceptiontable', b'?') and code.co_filename not in OWN:
            return True
        frame = frame.f_back
        if frame is None:
            return False
        code = frame.f_code
    return False


def call_later(rule, target, args, keywords):
    """Sends a call and does not wait: what it gives is known. An error comes with the next answer."""
    global put_off
    frame, gives, place, owner = sys._getframe(2), rule['gives'], None, None
    if rule['tried'] and may_catch(frame):
        return ask('call', target, args, keywords)
    if rule['of_first']:
        if not args or not isinstance(args[0], Handle):
            return ask('call', target, args, keywords)
        owner = args[0]._of
        place = owner and owner.number
    if gives == 'object' and place not in numbers:
        return ask('call', target, args, keywords)
    raw = bytearray()
    text = call_text('call', target, args, keywords, raw, frame)
    if gives == 'object':
        number = numbers[place]
        numbers[place] = number + 1
        name = rule['class']
        key = f'["{name}",{number},0]' if owner is None else f'["{name}",{place},{number}]'
        answer = new_handle(name, key, owner)
    else:
        answer, key = args[0] if gives == 'argument' else None, 'null'
    hold(LATER, f'{text},{key}]', raw)
    put_off = True
    return answer

# ---- functions of the deck -----------------------------------------------------------------------------------------

functions = weakref.WeakValueDictionary()  # what the deck handed over, by number
kept = []  # those that belong to no SOLFEC object
raised = []  # exceptions of functions, until the command at work fails with the last of them


class Function:
    """A callable of the deck with its data, which stay here; the program knows its number. `apply` calls it."""

    handed = 0  # number of the next one

    def __init__(self, function, data, data_last, owner):
        name = getattr(function, '__qualname__', None) or type(function).__name__
        name = self.name = name if is_text(name) else 'function'
        self.apply = with_data(function, data, data_last)
        self.code = getattr(function, '__code__', None)
        if TRACE:
            self.apply = traced(lambda args: 'callback ' + name, self.apply)
        self.number = Function.handed
        Function.handed += 1
        functions[self.number] = self
        (owner.functions if owner else kept).append(self)

    def _json(self):
        return '{"fn":%d,"name":%s}' % (self.number, TO_JSON(self.name))


def with_data(function, data, last):
    """The function of the arguments of the program alone."""
    if not data:
        return function
    return (lambda *args: function(*args, *data)) if last else functools.partial(function, *data)


class File:
    """A text file that goes to the program by its content: the deck knows where it is."""

    def __init__(self, path):
        self.path = path

    def _json(self):
        try:
            with open(self.path, encoding='utf-8', errors='replace') as stream:
                found = {'text': stream.read()}
        except (OSError, ValueError) as error:
            found = {'error': str(getattr(error, 'strerror', None) or error).lower()}
        return TO_JSON(dict(found, file=self.path)) if is_text(self.path) else encode_text(self.path)


class Tuples:
    """A value whose tuples stay tuples: there they mean something else than lists."""

    def __init__(self, value):
        self.value = value

    def _json(self):
        return self.text(self.value)

    def text(self, value):
        if isinstance(value, tuple):
            return '{"t":[%s]}' % ','.join(map(self.text, value))
        if isinstance(value, list):
            return '[%s]' % ','.join(map(self.text, value))
        return encode(value.tolist() if hasattr(value, 'tolist') else value, bytearray())


def serve(work, *args):
    """Calls functions for the program while a command waits for its answer."""
    global exchanging
    try:
        exchanging = False
        if asked_to_leave:
            leave()
        frame = work(*args)
        if put_off:
            settle()
        exchanging = True
    except BaseException as error:  # the command raises it again
        exchanging = True
        find_misfit(error, *args)
        raised.append(error)
        send(RAISED, TO_JSON({'family': family_of(error), 'text': text_of(error)}))
    else:
        send(*frame)


def find_misfit(error, call, raw=None):
    """An error that was raised by the call of a function, not in it, belongs where the function is defined."""
    frames = traceback.extract_tb(error.__traceback__)
    if not isinstance(error, TypeError) or not frames or frames[-1].filename not in OWN:
        return
    numbers = [number for number, _, _ in SPRING.iter_unpack(call)] if raw is None else [call['fn']]
    called = [function for function in map(functions.get, numbers) if function and function.code]
    fitting = {function.code for function in called if str(error).startswith(function.name + '() ')}
    if len(fitting) == 1:
        error.misfit = fitting.pop()


def returned(call, raw):
    """The answer of one function."""
    sent = bytearray()
    return RETURNED, encode(functions[call['fn']].apply(*decode(call['args'], raw)), sent), sent


class OfSprings(dict):
    """Functions by their numbers, held for the time of one command: a look-up in `functions` costs more than most."""

    def __missing__(self, number):
        apply = self[number] = functions[number].apply
        return apply


of_springs = OfSprings()


def spring_forces(raw):
    """The answers of the functions of springs, each for its stroke and rate."""
    return numbers_of([of_springs[number](stroke, rate) for number, stroke, rate in SPRING.iter_unpack(raw)])


def numbers_of(results):
    """The frame with what functions returned, each a number."""
    if NUMBERS.issuperset(map(type, results)):
        return FORCES, '', array.array('d', results).tobytes()
    sent = bytearray()
    return RETURNED, encode(results, sent), sent


def field_values(call, raw):
    """The answers of a field at places, at one time."""
    apply, t = functions[call['fn']].apply, call['t']
    return numbers_of([apply(x, y, z, t) for x, y, z in PLACE.iter_unpack(raw)])


def find_argument(spec, args, keywords):
    """The sequence or dictionary that holds an argument, and its place there."""
    if spec is None:
        return None, None
    if spec['at'] < len(args):
        return args, spec['at']
    for name in spec['names']:
        if name in keywords:
            return keywords, name
    return None, None


def take_file(entry, args, keywords):
    """The content of a file goes with its path."""
    args = list(args)
    holder, place = find_argument(entry['file'], args, keywords)
    if holder is not None and isinstance(holder[place], (str, os.PathLike)):
        path = os.fspath(holder[place])
        holder[place] = File(path) if isinstance(path, str) else path
    return args


def keep_tuples(entry, args, keywords):
    """Arguments in which a tuple is not a list."""
    args = list(args)
    for spec in entry['tuples']:
        holder, place = find_argument(spec, args, keywords)
        if holder is not None:
            holder[place] = Tuples(holder[place])
    return args


def take_function(entry, args, keywords):
    """Keeps the function of a call and its data here; a number goes instead. Other values stay as they are."""
    args = list(args)
    holder, place = find_argument(entry['data'], args, keywords)
    data = ()
    if holder is not None:
        data = holder[place]
        holder[place] = None
        if data is None and not entry['data']['required']:
            data = ()
        elif not isinstance(data, tuple):
            data = (data,)
    holder, place = find_argument(entry['function'], args, keywords)
    if holder is not None and callable(holder[place]):
        given = list(args) + list(keywords.values())
        owner = next((value._of for value in given if isinstance(value, Handle) and value._of), None)
        holder[place] = Function(holder[place], data, bool(entry['data']) and entry['data']['last'], owner)
    return args


CHANGES = (('file', take_file), ('tuples', keep_tuples), ('function', take_function))  # of arguments on their way


class Owner:
    """A SOLFEC object, which goes when the last handle of it and of what is in it has gone."""
    __slots__ = ('number', 'functions', '__weakref__')

    def __init__(self, number):
        self.number, self.functions = number, []

    def __del__(self):
        dropped.append(self.number)


dropped = []  # SOLFEC objects that have gone, until the program is told
owners = weakref.WeakValueDictionary()
within = set()  # classes whose objects are in a SOLFEC object
many = 8  # this many are worth a search for cycles: functions refer to objects, and objects keep functions


def owner_of(number):
    global many
    owner = owners.get(number)
    if owner is None:
        if len(owners) >= many:
            gc.collect()
            many = 2 * len(owners) + 8
        owner = owners[number] = Owner(number)
    return owner


class Handle:
    """An object of the program; equal handles stand for the same object."""
    __slots__ = ('_text', '_of')

    def __eq__(self, other):
        return isinstance(other, Handle) and self._text == other._text

    def __hash__(self):
        return hash(self._text)

    def __repr__(self):
        return '<%s>' % ' '.join(str(part) for part in FROM_JSON(self._text)[0]['h'])

    def _json(self):
        return self._text


classes = {}
handle_types = set()  # the same


def make_handle(name, first, second):
    return new_handle(name, f'["{name}",{first},{second}]', owner_of(first) if name in within else None)


NEW = object.__new__


def new_handle(name, key, owner):
    handle = NEW(classes[name])
    handle._text = f'{{"h":{key}}}'
    handle._of = owner
    return handle


gave_nothing = None  # the last command that returned None because results are not read


def of_reading(name, result):
    global gave_nothing
    if result is None:
        gave_nothing = name
    return result


sampled = []  # lists that RUN and FORWARD fill


def begin_list(number):
    assert number == len(sampled)
    sampled.append([])
    return sampled[number]


def fill_lists(new):
    for number, rows in new or ():
        sampled[number].extend(rows)


def make_command(entry):
    name = entry['name']
    target = TO_JSON(name)
    later, reads, waits = None if TRACE else entry.get('later'), entry.get('reads'), entry.get('waits')
    changes = [change for key, change in CHANGES if entry.get(key)]

    def command(*args, **keywords):
        global patient
        for change in changes:
            args = change(entry, args, keywords)
        patient = patient or waits
        if later and not patient:
            return call_later(later, target, args, keywords)
        if reads:
            return of_reading(name, ask('call', target, args, keywords))
        if entry.get('fills'):
            return fill_lists(ask('call', target, args, keywords))
        if entry.get('begins'):
            return begin_list(ask('call', target, args, keywords))
        return ask('call', target, args, keywords)
    if TRACE:
        command = traced(lambda args: name, command)
    command.__name__ = command.__qualname__ = name
    command.__doc__ = entry['doc']
    return command


def make_member(entry):
    name = TO_JSON(entry['name'])

    def get(handle):
        return ask('get', '[%s,%s]' % (handle._text[5:-1], name))

    def put(handle, value):
        ask('set', '[%s,%s]' % (handle._text[5:-1], name), (value,))
    if TRACE:
        get = traced(lambda args: '%r.%s' % (args.pop(0), entry['name']), get, '')
        put = traced(lambda args: '%r.%s = %s' % (args.pop(0), entry['name'], SHORT.repr(args.pop())), put, '')
    return property(get, put, None, entry['doc'])


def make_method(entry):
    name = TO_JSON(entry['name'])

    def method(handle, *args, **keywords):
        return ask('method', '[%s,%s]' % (handle._text[5:-1], name), args, keywords)
    if TRACE:
        method = traced(lambda args: '%r.%s' % (args.pop(0), entry['name']), method)
    method.__name__ = entry['name']
    method.__doc__ = entry['doc']
    return method


def make_class(entry, commands):
    """A class of handles; calling it is the command of the same name."""
    name = entry['name']
    command = commands.get(name)

    def new(cls, *args, **keywords):
        if command is None:
            raise TypeError('%s: made by the program, not by a deck' % name)
        return command(*args, **keywords)
    space = {'__slots__': (), '__new__': new, '__doc__': command.__doc__ if command else entry['doc']}
    space.update({member['name']: make_member(member) for member in entry['members']})
    space.update({method['name']: make_method(method) for method in entry['methods']})
    return type(name, (Handle,), space)


def language(table):
    """Names of the deck language."""
    names = {entry['name']: make_command(entry) for entry in table['commands']}
    for entry in table['classes']:
        classes[entry['name']] = make_class(entry, names)
        handle_types.add(classes[entry['name']])
        if entry['within']:
            within.add(entry['name'])
    names.update(classes)
    names.update(SolverError=SolverError, PenetrationError=PenetrationError)
    return names


def install(names):
    """The module `solfec`, for `from solfec import *` in helper modules."""
    module = types.ModuleType('solfec', 'Commands of the deck language.')
    module.__dict__.update(names, __all__=sorted(names), python2=python2, __path__=[])
    module.__getattr__ = module_attribute
    sys.modules['solfec'] = module
    sys.modules['solfec.python2'] = python2


def module_attribute(name):
    """What the module `solfec` knows only from the program."""
    if name == 'restarted':
        return ask('restarted', 'null')
    raise AttributeError("module 'solfec' has no attribute '%s'" % name)

# ---- the deck ------------------------------------------------------------------------------------------------------

opened = []
writes = False  # a file was opened for writing


def watch(event, args):
    """Remembers the files that are opened for reading, and whether others are."""
    global writes
    if event != 'open':
        return
    mode, flags = args[1], args[2]
    reads = not set(mode) & set('wax+') if mode else flags & (os.O_WRONLY | os.O_RDWR) == 0
    if not reads:
        writes = True
    elif isinstance(args[0], str):
        opened.append(args[0])


def left_open():
    """Files that the deck left open for writing."""
    return [thing for thing in gc.get_objects() if issubclass(type(thing), _io._IOBase)] if writes else []


def write_out(stream):
    """Writes what a file that was left open holds; what went wrong."""
    try:
        if not stream.closed and stream.writable():
            stream.flush()
    except BrokenPipeError:  # the reader has left
        pass
    except OSError as error:
        return '%s: %s' % (getattr(stream, 'name', 'a file that the deck left open'), error)
    except Exception:  # it was detached from its file, or is of a class of the deck
        pass
    return None


def let_go():
    """Python closes at its end what nothing refers to: functions that were handed over refer to all of the deck."""
    del kept[:], raised[:]
    of_springs.clear()
    gc.unfreeze()


def inputs(deck):
    """Files the deck was made from: those it opened and the modules it imported, without Python's own."""
    import sysconfig
    own = {os.path.abspath(place) for place in sysconfig.get_paths().values()}
    own |= {os.path.abspath(place) for place in (sys.prefix, sys.base_prefix, '/proc', '/dev', '/sys', '/etc')}
    modules = [getattr(module, '__file__', None) for module in list(sys.modules.values())]
    found = {}
    for path in [deck] + opened + modules:
        if not isinstance(path, str) or path.endswith('.pyc') or not os.path.isfile(path):
            continue
        place = os.path.abspath(path)
        if os.path.abspath(deck) == place or not any(place.startswith(root.rstrip('/') + '/') for root in own):
            found.setdefault(place, path)
    return list(found.values())


def predefined(texts):
    """Variables of --set: Python literals, else text."""
    import ast
    values = {}
    for name, text in texts:
        try:
            values[name] = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            values[name] = text
    return values


def load(start):
    """The deck's code and its module."""
    path, mode, text = start['deck'], start['python2'], start['text']
    if text is None:
        with open(path, 'rb') as stream:
            source = stream.read()
    else:
        source = text.encode('utf-8')
        linecache.cache[path] = (len(source), None, text.splitlines(True), path)
    sys.path[:] = [place for place in sys.path if place] + [os.path.dirname(os.path.abspath(path))]
    python2.remark = lambda text: ask('remark', TO_JSON(text))
    code, is2 = python2.compile_source(source, path, mode)
    names = language(start['table'])
    install(names)
    module = types.ModuleType('__main__')
    module.__dict__.update(names, **predefined(start['set']))
    module.__dict__.update((name, make_handle(*key)) for name, key in start['objects'])
    module.__file__ = path
    sys.argv = [path] + start['argv']
    sys.modules['__main__'] = module
    sys.meta_path.insert(0, python2.Importer(mode, bool(is2), os.path.dirname(os.path.abspath(path))))
    if is2:
        python2.activate()
        module.__builtins__ = python2.names()
        ask('note', TO_JSON(is2))
    return code, module


def own_traceback(error):
    """The traceback as Python prints it, without our frames."""
    shown = traceback.TracebackException(type(error), error, error.__traceback__)
    chain, seen = [shown], set()
    while chain:
        part = chain.pop()
        if part is None or id(part) in seen:
            continue
        seen.add(id(part))
        part.stack[:] = [frame for frame in part.stack if frame.filename not in OWN]
        for frame in part.stack:
            if hasattr(frame, 'colno'):  # columns are those of the converted text
                frame.colno = frame.end_colno = None
        chain += [part.__cause__, part.__context__]
    return ''.join(shown.format())


def place_of(error):
    """`file:line: ` of the innermost frame of the deck."""
    code = getattr(error, 'misfit', None)
    if code:
        return '%s:%s: ' % (code.co_filename, code.co_firstlineno)
    if isinstance(error, SyntaxError) and error.filename:
        return '%s:%s: ' % (error.filename, error.lineno)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename not in OWN]
    return '%s:%s: ' % (frames[-1].filename, frames[-1].lineno) if frames else ''


def describe(error):
    """How an exception that left the deck is reported."""
    if not getattr(error, 'from_command', False) and not isinstance(error, SyntaxError):
        sys.stderr.write(own_traceback(error))
    return {'family': family_of(error), 'text': text_of(error)}


def family_of(error):
    """Names of the exceptions of commands that it is one of."""
    return [name for name, base in ERRORS.items() if isinstance(error, base)]


def near(name, names):
    """`; did you mean NAME?`, if one is spelled almost like it."""
    import difflib
    folded = {known.lower(): known for known in names}
    found = difflib.get_close_matches(name.lower(), folded, 1, 0.7)
    return '; did you mean %s?' % folded[found[0]] if found else ''


def hint(error):
    """What helps with an exception of Python that comes from the use of our names."""
    if isinstance(error, NameError):
        match = re.search("name '([^']*)' is not defined", str(error))
        known = [name for name in vars(sys.modules['__main__']) if not name.startswith('_')]
        return near(match.group(1), known) if match else ''
    if isinstance(error, AttributeError):
        # What is assigned to is known from the text alone.
        match = re.match("'([^']*)' object has no attribute '([^']*)'", str(error))
        of = classes.get(match.group(1)) if match else None
        if of is None:
            return ''
        members = sorted(known for known in vars(of) if not known.startswith('_'))
        return '%s; members of %s are %s' % (near(match.group(2), members), of.__name__, ', '.join(members))
    if isinstance(error, TypeError) and 'NoneType' in str(error) and gave_nothing:
        return ('; %s returned None because results are being written: use what it returns only where '
                "solfec.mode == 'READ'" % gave_nothing)
    return ''


def text_of(error):
    """Place and message in one line; errors of commands have both already."""
    text = str(error)
    if not getattr(error, 'from_command', False):
        text += hint(error)
        kind = type(error).__name__
        message = error.msg if isinstance(error, SyntaxError) else text
        text = place_of(error) + (kind + ': ' + message if message else kind)
    return text.encode('utf-8', 'backslashreplace').decode('utf-8')


def exit_status(code):
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 255
    sys.stderr.write('%s\n' % (code,))
    return 1


def run(start):
    """Runs the deck and tells how it ended."""
    if start['convert']:
        with open(start['deck'], 'rb') as stream:
            return {'text': python2.syntax2.converted_deck(python2.decode(stream.read()))}
    sys.addaudithook(watch)
    try:
        code, module = load(start)
        del opened[:]
        gc.freeze()  # what is there now stays: the collector need not look at it
        exec(code, module.__dict__)
    except SystemExit as stop:
        settle()
        return {'status': exit_status(stop.code)}
    settle()
    return {'status': 0}


def reader_left(error):
    """Whether the reader of standard output has left: no error, but the end."""
    if not isinstance(error, BrokenPipeError):
        return False
    output = select.poll()
    output.register(1, 0)
    if not any(event & select.POLLERR for _, event in output.poll(0)):
        return False
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is still to be written goes nowhere, Python's last flush too
    return True


END_OF_DECK = signal.SIGVTALRM  # of the program alone: others get to all processes of a group, while a run is at work


def leave():
    """Ends the deck, once."""
    global asked_to_leave
    asked_to_leave = False
    sys.exit(128 + signal.SIGTERM)


def program_asks(number, frame):
    """The program asks for the end while no run is under way."""
    global asked_to_leave
    asked_to_leave = True
    if not exchanging:
        leave()


def listen_to_program():
    """From now on the program decides what becomes of signals that it gets too."""
    program = os.getppid()

    def terminated(number, frame):
        if os.getppid() != program:  # it has died, or this is a process that the deck has forked
            sys.exit(128 + number)
    for number in (signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, lambda number, frame: None)
    signal.signal(signal.SIGTERM, terminated)
    signal.signal(END_OF_DECK, program_asks)


def finish(end):
    """Writes what is still to be written; what went wrong, if nothing did before, is how the deck ended."""
    lost = []
    try:
        python2.finish()
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError) as error:
        if not reader_left(error):
            lost.append('standard output of the deck: %s' % error)
    lost += filter(None, map(write_out, left_open()))
    if lost and 'text' not in end:
        end.update(family=['OSError'], text=lost.pop(0))
    for text in dict.fromkeys(lost):
        os.write(2, (text + '\n').encode('utf-8', 'backslashreplace'))


def at_exit(end):
    """Calls what the deck has registered with atexit while its commands are still served. How the deck ends then."""
    try:
        atexit._run_exitfuncs()
    except BaseException:  # Python before 3.10 raises the last of what it has printed
        pass
    try:
        settle()
    except BaseException as error:
        return end if 'text' in end else describe(error)
    return end


def main():
    global ended, exchanging
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.setrecursionlimit(20000)
    _, start, _ = receive()
    if start['watched']:
        listen_to_program()
    try:
        end = run(start)
    except BaseException as error:
        end = {'status': 0, 'left': True} if reader_left(error) else describe(error)
        try:
            settle()
        except BaseException as first:  # of a call that was made before
            end = describe(first)
    end = at_exit(end)
    exchanging = True  # the end is near
    finish(end)
    end['inputs'] = inputs(start['deck'])
    let_go()
    send(END, TO_JSON(end))
    ended = True


main()
