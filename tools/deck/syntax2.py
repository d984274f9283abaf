"""Python 2 decks: a converter of their syntax.

`convert` rewrites Python 2 source as Python 3 source line by line, so that line numbers stay. What cannot be said in
syntax is said by names of `python2`, which the converted source uses: `print`, `exec2`, `error2`, `py2div`, `py2list`.
"""
import ast
import re

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
RENAMED_METHODS = {'has_key': '__contains__', 'iteritems': 'items', 'itervalues': 'values', 'iterkeys': 'keys'}
VIEWS = ('keys', 'values', 'items')


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


def convert_tokens(tokens):
    """Operators, literals, names and tabs."""
    depth, start_of_line, backtick = 0, True, False
    significant = ''
    for row, token in enumerate(tokens):
        kind, text = token
        if kind == 'space' and start_of_line and depth == 0:
            token[1] = text.expandtabs(TAB)
        elif kind == 'number':
            token[1] = convert_number(text)
        elif kind == 'string' and text[:2].lower() == 'ur':
            token[1] = text[1:]
        elif kind == 'name':
            token[1] = convert_name(tokens, row, significant)
        elif text == '<>':
            token[1] = '!='
        elif text == '`':
            token[:] = ['mark', ')' if backtick else 'repr(']
            backtick = not backtick
        elif kind == 'op' and text in ('(', '[', '{'):
            depth += 1
        elif kind == 'op' and text in (')', ']', '}'):
            depth = max(0, depth - 1)
        start_of_line = kind == 'newline'
        if kind not in SILENT and kind != 'newline':
            significant = text


def convert_name(tokens, row, before):
    text = tokens[row][1]
    if before == '.' and text in RENAMED_METHODS:
        return RENAMED_METHODS[text]
    called_empty = [t for k, t in tokens[row + 1:row + 6] if k != 'space'][:2] == ['(', ')']
    if text == 'next' and (before == 'def' or before == '.' and called_empty):
        return '__next__'
    if text in NEW_KEYWORDS and before != '.':
        return text + '_'
    return text

# ---- division and dictionary views: needs the syntax tree ----------------------------------------------------------


def exact(node):
    """Whether the value is surely a float, so that `/` means the same in both languages."""
    if isinstance(node, ast.UnaryOp):
        return exact(node.operand)
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


class Edits:
    """Insertions into lines of bytes, outer ones before inner ones at the same place."""

    def __init__(self, text):
        self.lines = text.encode('utf-8').split(b'\n')
        self.found = []

    def insert(self, line, column, text, replaced=0):
        self.found.append((line - 1, column, len(self.found), text.encode('utf-8'), replaced))

    def around(self, node, before, after):
        self.insert(node.lineno, node.col_offset, before)
        self.insert(node.end_lineno, node.end_col_offset, after)

    def operator(self, left, mark):
        """Place of the operator `mark` that follows the node `left`."""
        line, column = left.end_lineno - 1, left.end_col_offset
        while True:
            code = self.lines[line][column:].split(b'#')[0]
            at = code.find(mark)
            if at >= 0:
                return line + 1, column + at
            line, column = line + 1, 0

    def source(self, node):
        first, last = node.lineno - 1, node.end_lineno - 1
        if first == last:
            return self.lines[first][node.col_offset:node.end_col_offset].decode('utf-8')
        parts = [self.lines[first][node.col_offset:]] + self.lines[first + 1:last]
        parts.append(self.lines[last][:node.end_col_offset])
        return b' '.join(parts).decode('utf-8')

    def text(self):
        for line, column, _, text, replaced in sorted(self.found, key=lambda e: e[:3], reverse=True):
            old = self.lines[line]
            self.lines[line] = old[:column] + text + old[column + replaced:]
        return b'\n'.join(self.lines).decode('utf-8')


def convert_meaning(text, division):
    edits = Edits(text)
    waiting = [ast.parse(text)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and division:
            if not (exact(node.left) or exact(node.right)):
                edits.around(node, 'py2div(', ')')
                edits.insert(*edits.operator(node.left, b'/'), text=',', replaced=1)
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div) and division:
            place = edits.operator(node.target, b'/=')
            edits.insert(*place, text='= py2div(%s,' % edits.source(node.target), replaced=2)
            edits.insert(node.end_lineno, node.end_col_offset, ')')
        elif isinstance(node, ast.Call) and not node.args and not node.keywords:
            if isinstance(node.func, ast.Attribute) and node.func.attr in VIEWS:
                edits.around(node, 'py2list(', ')')
        waiting.extend(ast.iter_child_nodes(node))
    return edits.text()


def convert(text):
    """Python 3 source with the meaning of the Python 2 source `text`, line for line. Raises SyntaxError."""
    tokens = scan(text)
    rows_of = statements(tokens)
    words = [[tokens[row][1] for row in rows] for rows in rows_of]
    future = {name for line in words if line[:2] == ['from', '__future__'] for name in line[3:]}
    convert_tokens(tokens)
    for rows in rows_of:
        word = tokens[rows[0]][1]
        if word in STATEMENTS and not (word == 'print' and 'print_function' in future):
            STATEMENTS[word](tokens, rows)
    text = ''.join(t for _, t in tokens)
    division = 'division' not in future and any(k == 'op' and t in ('/', '/=') for k, t in tokens)
    views = any(k == 'name' and t in VIEWS for k, t in tokens)
    return convert_meaning(text, division) if division or views else text


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
