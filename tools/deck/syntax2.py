"""Python 2 decks: a converter of their syntax.

`convert` rewrites Python 2 source as Python 3 source line by line, so that line numbers stay. What cannot be said in
syntax is said by names of `python2`, which the converted source uses: `print`, `exec2`, `error2`, `py2div`, `py2over`,
`py2list`, `py2old`.
"""
import ast
import itertools
import re
import warnings

TAB = 8

# ---- scanner -------------------------------------------------------------------------------------------------------

TOKEN = re.compile(r'''
  (?P<space>[ \t\f]+)
| (?P<comment>\#[^\n]*)
| (?P<join>\\\n)
| (?P<newline>\n)
| (?P<string>[uUbB]?[rR]?(?:\'\'\'(?:[^\\]|\\.)*?\'\'\'|"""(?:[^\\]|\\.)*?"""|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"))
| (?P<table>(?:-?(?:\d+\.\d*|\.\d+|0|[1-9]\d*)(?:[eE][-+]?\d+)?[ \t]*,\s*){2,}(?=-?[.\d]))
| (?P<number>0[xX][0-9a-fA-F]+[lL]?|0[bB][01]+[lL]?|0[oO][0-7]+[lL]?|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?[jJlL]?)
| (?P<name>[^\W\d]\w*)
| (?P<op><>|\*\*=?|//=?|>>=?|<<=?|[-+*/%&|^=<>!]=|.)
''', re.X | re.S)

SILENT = ('space', 'comment', 'join')
COMPOUND = {'if', 'elif', 'else', 'for', 'while', 'try', 'except', 'finally', 'with', 'def', 'class'}
NEW_KEYWORDS = {'async', 'await', 'nonlocal'}
OPERANDS_FOLLOW = {'and', 'or', 'not', 'in', 'is', 'if', 'else', 'elif', 'while', 'print', 'return', 'yield', 'assert',
                   'exec', 'raise', 'del', 'with'}
# What is evaluated in the target of `/=`.
KEPT = 'py2kept%d'
# Methods of classes that Python calls by another name now.
RENAMED = {'__div__': '__truediv__', '__rdiv__': '__rtruediv__', '__idiv__': '__itruediv__', '__nonzero__': '__bool__'}
VIEWS = ('keys', 'values', 'items')
DROPPED = ('has_key', 'iteritems', 'itervalues', 'iterkeys')


def scan(text):
    """Tokens [kind, text]; their texts joined are the source again. Numbers that stand in a table, the last one excepted, are
    one token: they are most of many decks, and mean the same in both languages."""
    return [[match.lastgroup, match.group()] for match in TOKEN.finditer(text)]


def statements(tokens):
    """Simple statements and headers of compound ones, each a list of rows of significant tokens."""
    found, current, depth, lambdas = [], [], 0, 0
    for row, (kind, text) in enumerate(tokens):
        if kind in SILENT:
            continue
        if kind == 'newline':
            if depth == 0 and current:
                found.append(current)
                current, lambdas = [], 0
            continue
        if kind == 'op' and text in ('(', '[', '{'):
            depth += 1
        elif kind == 'op' and text in (')', ']', '}'):
            depth = max(0, depth - 1)
        elif kind == 'name' and text == 'lambda' and depth == 0:
            lambdas += 1
        elif depth == 0 and text == ';':
            if current:
                found.append(current)
            current, lambdas = [], 0
            continue
        elif depth == 0 and text == ':' and lambdas:
            lambdas -= 1
        elif depth == 0 and text == ':' and current and tokens[current[0]][1] in COMPOUND:
            found.append(current + [row])
            current = []
            continue
        current.append(row)
    if current:
        found.append(current)
    return found


def outer(tokens, rows, word):
    """Positions in `rows` of the token `word` outside all brackets."""
    found, depth = [], 0
    for position, row in enumerate(rows):
        text = tokens[row][1]
        if tokens[row][0] == 'op' and text in ('(', '[', '{'):
            depth += 1
        elif tokens[row][0] == 'op' and text in (')', ']', '}'):
            depth -= 1
        elif depth == 0 and text == word:
            found.append(position)
    return found

# ---- statements ----------------------------------------------------------------------------------------------------


def open_call(tokens, head, name):
    tokens[head][1] = name + '('
    if tokens[head + 1][0] == 'space':
        tokens[head + 1][1] = ''


def convert_print(tokens, rows):
    head, rest = rows[0], rows[1:]
    if not rest:
        tokens[head][1] = 'print()'
        return
    if tokens[rest[0]][1] in ('=', '.'):
        return
    extra = ''
    if tokens[rest[0]][1] == '>>':
        commas = outer(tokens, rest, ',')
        stop = commas[0] if commas else len(rest)
        first, last = rest[1], rest[stop - 1]
        extra = ', file=' + ''.join(t for k, t in tokens[first:last + 1] if k not in ('join', 'newline', 'comment'))
        for row in [rest[0]] + list(range(first, last + 1)) + rest[stop:stop + 1]:
            if tokens[row][0] not in ('join', 'newline'):
                tokens[row][1] = ''
    if tokens[rest[-1]][1] == ',':
        tokens[rest[-1]][1] = ''
        extra += ", end=' '"
    if not any(tokens[row][1] for row in rest):
        extra = extra[2:]
    open_call(tokens, head, 'print')
    tokens[rest[-1]][1] += extra + ')'


def convert_exec(tokens, rows):
    for position in outer(tokens, rows, 'in')[:1]:
        tokens[rows[position]][1] = ','
    open_call(tokens, rows[0], 'exec2')
    tokens[rows[-1]][1] += ')'


def convert_raise(tokens, rows):
    if outer(tokens, rows, ','):
        open_call(tokens, rows[0], 'raise error2')
        tokens[rows[-1]][1] += ')'


def convert_except(tokens, rows):
    for position in outer(tokens, rows, ',')[:1]:
        tokens[rows[position]][1] = ' as'


STATEMENTS = {'print': convert_print, 'exec': convert_exec, 'raise': convert_raise, 'except': convert_except}

# ---- single tokens -------------------------------------------------------------------------------------------------


def convert_number(text):
    text = text.rstrip('lL')
    if re.match(r'0[0-7]+$', text):
        return '0o' + text[1:]
    return text


def convert_string(text, unicode):
    """Literals: `\\u` and the like mean a character in texts of Unicode only."""
    quote = min(text.find(mark) for mark in '"\'' if mark in text)
    prefix = text[:quote].lower()
    if prefix == 'ur':
        return text[1:]
    if prefix or unicode:
        return text
    return re.sub(r'\\.', lambda escape: '\\' * (escape.group()[1] in 'uUN') + escape.group(), text, flags=re.S)


def convert_tokens(tokens, unicode):
    """Operators, literals, names and tabs. `unicode`: literals without prefix are Unicode."""
    depth, start_of_line, opened = 0, True, []
    names = {text for kind, text in tokens if kind == 'name'}
    before = ['newline', '']
    for row, token in enumerate(tokens):
        kind, text = token
        if kind == 'space' and start_of_line and depth == 0:
            token[1] = text.expandtabs(TAB)
        elif kind == 'number':
            glued = row + 1 < len(tokens) and tokens[row + 1][0] == 'name'  # `1if`
            token[1] = convert_number(text) + ' ' * glued
        elif kind == 'string':
            token[1] = convert_string(text, unicode)
        elif kind == 'name':
            token[1] = convert_name(text, before[1], names)
        elif text == '<>':
            token[1] = '!='
        elif text == '`':
            convert_backtick(tokens, row, before, opened, depth)
        elif text == ',' and opened and opened[-1][1] == depth:
            tokens[opened[-1][0]][1] = 'repr(('
        elif kind == 'op' and text in ('(', '[', '{'):
            depth += 1
        elif kind == 'op' and text in (')', ']', '}'):
            depth = max(0, depth - 1)
        start_of_line = kind == 'newline'
        if kind not in SILENT and kind != 'newline':
            before = [token[0], text]


def convert_backtick(tokens, row, before, opened, depth):
    """A backtick opens where an operand must follow; `opened` has those that are open, and their depths."""
    kind, text = before
    operand = kind in ('number', 'string', 'closed') or text in (')', ']', '}')
    if opened and (operand or kind == 'name' and text not in OPERANDS_FOLLOW):
        opener, _ = opened.pop()
        tokens[row][:] = ['closed', '))' if tokens[opener][1] == 'repr((' else ')']
    else:
        tokens[row][:] = ['mark', 'repr(']
        opened.append((row, depth))


def convert_name(text, before, names):
    if text in RENAMED and RENAMED[text] not in names:
        return RENAMED[text]
    if text in NEW_KEYWORDS and before != '.':
        return text + '_'
    return text

# ---- division and methods: needs the syntax tree --------------------------------------------------------------------


def exact(node):
    """Whether the value is surely a float, so that `/` means the same in both languages."""
    if isinstance(node, ast.UnaryOp):
        return exact(node.operand)
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


class Edits:
    """Changes at places of a text: lines and columns in bytes. Where several meet, what ends there is closed first, the
    inner before the outer; then what begins there is opened, the outer before the inner. Outer nodes come first."""

    def __init__(self, text):
        self.lines = text.encode('utf-8').split(b'\n')
        self.found = []

    def open(self, line, column, text, replaced=0):
        self.found.append((line - 1, column, 1, len(self.found), text.encode('utf-8'), replaced))

    def around(self, node, before, after):
        self.open(node.lineno, node.col_offset, before)
        end = (node.end_lineno - 1, node.end_col_offset)
        self.found.append((*end, 0, -len(self.found), after.encode('utf-8'), 0))

    def replace(self, line, column, mark, text):
        """Replaces the first `mark` after a place; only brackets, spaces and comments are between."""
        mark = mark.encode('utf-8')
        while True:
            source = self.lines[line - 1]
            at = source.find(mark, column)
            if at >= 0 and b'#' not in source[column:at]:
                return self.open(line, at, text, len(mark))
            line, column = line + 1, 0

    def after(self, node, mark, text):
        self.replace(node.end_lineno, node.end_col_offset, mark, text)

    def text(self):
        for line, changes in itertools.groupby(sorted(self.found), key=lambda change: change[0]):
            old, pieces, done = self.lines[line], [], 0
            for _, column, _, _, text, replaced in changes:
                pieces += [old[done:column], text]
                done = column + replaced
            self.lines[line] = b''.join(pieces + [old[done:]])
        return b'\n'.join(self.lines).decode('utf-8')


class Target:
    """The target of `/=`, which is read where it stands and stored to by another text: there, what is evaluated in it
    has a name, so that it is evaluated once."""

    def __init__(self, statement):
        self.kept = []  # nodes
        self.calls = any(isinstance(node, ast.Call) for node in ast.walk(statement))
        self.text = self.again(statement.target)

    def again(self, node):
        if isinstance(node, ast.Attribute):
            return '%s.%s' % (self.value(node.value), node.attr)
        if isinstance(node, ast.Subscript):
            return '%s[%s]' % (self.value(node.value), self.index(node.slice))
        return node.id

    def value(self, node):
        if isinstance(node, ast.Name) and not self.calls:
            return node.id
        try:
            return repr(ast.literal_eval(node))
        except ValueError:
            self.kept.append(node)
            return KEPT % len(self.kept)

    def index(self, node):
        if type(node).__name__ == 'Index':  # of Python 3.8
            return self.value(node.value)
        if isinstance(node, ast.Slice):
            ends = [node.lower, node.upper] + [node.step] * (node.step is not None)
            return ':'.join(self.value(end) if end else '' for end in ends)
        parts = getattr(node, 'elts', getattr(node, 'dims', []))
        if any(isinstance(part, ast.Slice) for part in parts):
            return ', '.join(self.index(part) for part in parts) + ','
        return self.value(node)


def convert_quotient(edits, node):
    if not (exact(node.left) or exact(node.right)):
        edits.around(node, 'py2div(', ')')
        edits.after(node.left, '/', ',')


def convert_division(edits, node):
    """`target /= value` becomes `target = py2over(target, value)`."""
    if exact(node.value):
        return
    target = Target(node)
    edits.around(node, '%s = py2over(' % target.text, ')')
    for number, part in enumerate(target.kept, 1):
        bare = isinstance(part, ast.Tuple)
        edits.around(part, '(%s := ' % (KEPT % number) + '(' * bare, ')' + ')' * bare)
    edits.after(node.target, '/=', ',')
    if isinstance(node.value, (ast.Tuple, ast.Yield)):
        edits.around(node.value, '(', ')')


def convert_call(edits, node):
    method = node.func
    if method.attr in VIEWS and not node.args and not node.keywords:
        edits.around(node, 'py2list(', ')')
    if method.attr == 'next':
        convert_method(edits, method)


def convert_method(edits, node):
    """`x.name` becomes `py2old(x, 'name')`."""
    edits.open(node.lineno, node.col_offset, 'py2old(')
    edits.after(node.value, '.', ',')
    edits.after(node.value, node.attr, " '%s')" % node.attr)


def convert_class(edits, node):
    """Iterators have `__next__`."""
    functions = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == 'next']
    has = any('__next__' in (getattr(part, 'name', ''), getattr(part, 'id', '')) for part in ast.walk(node))
    for function in functions[:not has]:
        edits.replace(function.lineno, function.col_offset, 'next', '__next__')


def convert_meaning(text, division):
    edits = Edits(text)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        waiting = [ast.parse(text)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and division:
            convert_quotient(edits, node)
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div) and division:
            convert_division(edits, node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            convert_call(edits, node)
        elif isinstance(node, ast.Attribute) and node.attr in DROPPED and isinstance(node.ctx, ast.Load):
            convert_method(edits, node)
        elif isinstance(node, ast.ClassDef):
            convert_class(edits, node)
        elif isinstance(node, ast.JoinedStr):  # of Python 3
            continue
        waiting.extend(ast.iter_child_nodes(node))
    return edits.text()


def convert(text):
    """Python 3 source with the meaning of the Python 2 source `text`, line for line. Raises SyntaxError."""
    tokens = scan(text)
    rows_of = statements(tokens)
    words = [[tokens[row][1] for row in rows] for rows in rows_of]
    future = {name for line in words if line[:2] == ['from', '__future__'] for name in line[3:]}
    convert_tokens(tokens, 'unicode_literals' in future)
    for rows in rows_of:
        word = tokens[rows[0]][1]
        if word in STATEMENTS and not (word == 'print' and 'print_function' in future):
            STATEMENTS[word](tokens, rows)
    text = ''.join(t for _, t in tokens)
    division = 'division' not in future and any(k == 'op' and t in ('/', '/=') for k, t in tokens)
    methods = any(k == 'name' and (t in VIEWS or t in DROPPED or t == 'next') for k, t in tokens)
    return convert_meaning(text, division) if division or methods else text


def converted_deck(text):
    """The deck as a Python 3 file of its own."""
    head = '# solfec: python3\nfrom solfec.python2 import *; activate()  # division, print ... as in Python 2\n'
    text = convert(text)
    first = text.split('\n', 1)[0]
    if first.startswith('#!'):
        return first + '\n' + head + text.split('\n', 1)[1]
    return hoist_future(head + text)


def hoist_future(text):
    """`from __future__` lines must stay the first statements."""
    lines = text.split('\n')
    future = [line for line in lines if re.match(r'from[ \t]+__future__[ \t]+import', line)]
    rest = [line for line in lines if line not in future]
    return '\n'.join(rest[:1] + future + rest[1:]) if future else text
