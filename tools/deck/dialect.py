"""Which Python a source means that compiles as Python 3: signs of Python 2, and places that differ.

`signs` finds what only Python 2 would mean: its names, methods and modules, `print >> f`. `differences` finds what
means something else in Python 2: quotients of what may be integers, random integers, lists that are views or iterators
now. docs/decks.md has the rules.
"""
import ast
import importlib.util
import os

NAMES = {'xrange', 'execfile', 'raw_input', 'unicode', 'basestring', 'long', 'unichr', 'reduce', 'cmp', 'apply', 'file'}
METHODS = {'has_key', 'iteritems', 'itervalues', 'iterkeys'}
MEMBERS = {('sys', 'maxint'), ('itertools', 'izip'), ('itertools', 'imap'), ('itertools', 'ifilter'), ('time', 'clock')}
MODULES = {'Tkinter', 'tkMessageBox', 'tkFileDialog', 'cPickle', 'StringIO', 'cStringIO', 'Queue', 'ConfigParser',
           '__builtin__', 'commands', 'sets', 'urllib2', 'urlparse', 'httplib', 'HTMLParser', 'SocketServer',
           'cookielib', 'xmlrpclib', 'copy_reg', 'thread'}
DRAWS = {'randint', 'randrange', 'choice', 'shuffle', 'sample'}
ITERATORS = {'map', 'zip', 'filter'}
VIEWS = {'keys', 'values', 'items'}
LIST_METHODS = {'sort', 'append', 'extend', 'insert', 'remove', 'pop', 'reverse'}
INTEGERS = {'int', 'len', 'ord', 'randint', 'randrange'}
FLOATS = {'float', 'sqrt', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2', 'exp', 'log', 'log10', 'pow', 'hypot',
          'fabs', 'radians', 'degrees', 'random', 'uniform', 'gauss', 'norm'}
CONSTANTS = {'pi', 'e', 'tau', 'inf', 'nan'}
SAME = {'abs', 'min', 'max', 'sum'}


class Found:
    """Something at a line, in words."""

    def __init__(self, node, text):
        self.line, self.text = node.lineno, text


def stored_names(tree):
    """Names that the source gives a meaning itself."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split('.')[0])
    return names


def serves_both(tree):
    """Whether the source asks which Python runs it: it was written for both."""
    marks = {'version_info', 'hexversion', 'PY2', 'PY3', 'six'}
    return any(getattr(node, 'attr', None) in marks or getattr(node, 'id', None) in marks or
               isinstance(node, ast.alias) and node.name in marks for node in ast.walk(tree))


def attempts(tree):
    """Nodes inside `try` with handlers: what fails there is provided for."""
    inside = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and node.handlers:
            for statement in node.body:
                inside.update(map(id, ast.walk(statement)))
    return inside

# ---- signs of Python 2 ---------------------------------------------------------------------------------------------


def signs(tree, path):
    """What only Python 2 would mean, in order of lines. `path` is the source's file."""
    if serves_both(tree):
        return []
    stored, tried, found = stored_names(tree), attempts(tree), []
    for node in ast.walk(tree):
        text = None if id(node) in tried else sign(node, stored, path)
        if text:
            found.append(Found(node, text))
    return sorted(found, key=lambda one: one.line)


def sign(node, stored, path):
    if isinstance(node, ast.Expr) and 'print' not in stored:
        return printed(node.value)
    if isinstance(node, ast.Name) and node.id in NAMES - stored:
        return node.id
    if isinstance(node, ast.Attribute):
        if node.attr in METHODS - stored:
            return '.' + node.attr
        if isinstance(node.value, ast.Name) and (node.value.id, node.attr) in MEMBERS:
            return '%s.%s' % (node.value.id, node.attr)
    if isinstance(node, ast.Import):
        return next((name for name in (alias.name for alias in node.names) if old_module(name, path)), None)
    if isinstance(node, ast.ImportFrom) and not node.level and node.module and old_module(node.module, path):
        return node.module
    return None


def printed(value):
    """`print >> f, x`, `print` alone, `print (a), b` and `print ('%d') % n` as statements."""
    first = value.elts[0] if isinstance(value, ast.Tuple) and value.elts else value
    if isinstance(first, ast.Name) and first.id == 'print':
        return 'print'
    while isinstance(first, ast.BinOp):
        shift = isinstance(first.op, ast.RShift)
        first = first.left
        if isinstance(first, ast.Name) and first.id == 'print' and shift:
            return 'print >>'
    called = isinstance(first, ast.Call) and isinstance(first.func, ast.Name) and first.func.id == 'print'
    return 'print' if called and first is not value else None


def old_module(name, path):
    """A module of Python 2 that is not there, or one of the own package by its bare name."""
    top = name.split('.')[0]
    folder = os.path.dirname(path)
    beside = os.path.isfile(os.path.join(folder, '__init__.py')) and (
        os.path.isfile(os.path.join(folder, top + '.py')) or os.path.isdir(os.path.join(folder, top)))
    if top not in MODULES and not beside:
        return False
    try:
        return importlib.util.find_spec(top) is None
    except (ImportError, ValueError):
        return False

# ---- places that differ --------------------------------------------------------------------------------------------


def differences(tree):
    """What means something else in Python 2, the first of each kind, in order of lines."""
    if serves_both(tree) or speaks_3(tree):
        return []
    kinds, lists, random = Kinds(tree), ListNames(tree), RandomNames(tree)
    floors = 'division' not in future(tree)
    first = {}
    for node in ast.walk(tree):
        texts = floors and divides(node, kinds), random.draws(node), lists.used(node)
        for kind, text in enumerate(texts):
            if text and (kind not in first or node.lineno < first[kind].line):
                first[kind] = Found(node, text)
    return sorted(first.values(), key=lambda one: one.line)


def future(tree):
    """What the source takes from `__future__`."""
    return {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == '__future__'
            for alias in node.names}


SYNTAX_3 = (ast.JoinedStr, ast.Nonlocal, ast.AnnAssign, ast.AsyncFunctionDef, ast.YieldFrom, ast.NamedExpr, ast.MatMult)


def speaks_3(tree):
    """Whether the source has what Python 2 does not compile."""
    prints = 'print_function' in future(tree)
    for node in ast.walk(tree):
        if isinstance(node, SYNTAX_3):
            return True
        if isinstance(node, ast.Raise) and node.cause or isinstance(node, ast.arg) and node.annotation:
            return True
        if isinstance(node, ast.FunctionDef) and (node.returns or node.args.kwonlyargs):
            return True
        if called(node) == 'print' and isinstance(node.func, ast.Name) and node.keywords and not prints:
            return True
    return False


def divides(node, kinds):
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        pair = kinds.of(node.left), kinds.of(node.right)
    elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div):
        pair = kinds.of(node.target), kinds.of(node.value)
    else:
        return None
    if 'int' in pair and set(pair) <= {'int', 'any'}:
        return 'the quotient of two integers is floored in Python 2'
    return None


def called(node):
    """Name of the function or method that a call calls."""
    if not isinstance(node, ast.Call):
        return None
    return getattr(node.func, 'id', None) or getattr(node.func, 'attr', None)


class RandomNames:
    """Names of the module `random` and of its functions."""

    def __init__(self, tree):
        self.modules, self.functions = set(), {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                self.modules.update(alias.asname or alias.name for alias in node.names if alias.name == 'random')
            elif isinstance(node, ast.ImportFrom) and node.module == 'random':
                for alias in node.names:
                    names = DRAWS if alias.name == '*' else {alias.name} & DRAWS
                    self.functions.update((alias.asname or name, name) for name in names)

    def draws(self, node):
        if not isinstance(node, ast.Call):
            return None
        if isinstance(node.func, ast.Name):
            name = self.functions.get(node.func.id)
        else:
            of = getattr(getattr(node.func, 'value', None), 'id', None)
            name = node.func.attr if of in self.modules and node.func.attr in DRAWS else None
        return name and 'random.%s draws other numbers in Python 2 after the same seed' % name


class Kinds:
    """Whether values are integers ('int'), other numbers or things ('float', 'other'), or may be anything ('any')."""

    ROUNDS = 4

    def __init__(self, tree):
        self.names = {}
        bindings = [pair for node in ast.walk(tree) for pair in bound(node)]
        for _ in range(self.ROUNDS):
            names = {}
            for name, value in bindings:
                kind = value if isinstance(value, str) else self.of(value)
                names[name] = kind if names.get(name, kind) == kind else 'any'
            self.names = names

    def of(self, node):
        if isinstance(node, ast.Constant):
            return {int: 'int', bool: 'int', float: 'float'}.get(type(node.value), 'other')
        if isinstance(node, ast.Name):
            return self.names.get(node.id, 'float' if node.id in CONSTANTS else 'any')
        if isinstance(node, ast.UnaryOp):
            return self.of(node.operand)
        if isinstance(node, ast.BinOp):
            return self.joined([node.left, node.right])
        if isinstance(node, ast.IfExp):
            return self.joined([node.body, node.orelse])
        if isinstance(node, ast.Call):
            return self.of_call(node)
        if isinstance(node, ast.Attribute) and node.attr in CONSTANTS:
            return 'float'
        return 'any' if isinstance(node, (ast.Attribute, ast.Subscript)) else 'other'

    def of_call(self, node):
        name = called(node)
        if name in INTEGERS or name in FLOATS:
            return 'int' if name in INTEGERS else 'float'
        return self.joined(node.args) if name in SAME and node.args else 'any'

    def joined(self, nodes):
        """Of a sum or product: one float makes it a float."""
        kinds = {self.of(node) for node in nodes}
        for kind in ('float', 'other', 'any'):
            if kind in kinds:
                return kind
        return 'int'


def bound(node):
    """Names and the values they get; 'any' where that is not seen."""
    if isinstance(node, ast.Assign):
        return [pair for target in node.targets for pair in bound_target(target, node.value)]
    if isinstance(node, ast.AugAssign):
        return bound_target(node.target, ast.BinOp(node.target, node.op, node.value))
    if isinstance(node, (ast.For, ast.comprehension)):
        over = node.iter
        if called(over) in ('range', 'xrange'):
            return bound_target(node.target, ast.Constant(0))
        if isinstance(over, (ast.List, ast.Tuple)):
            return [pair for item in over.elts for pair in bound_target(node.target, item)]
        return bound_target(node.target, 'any')
    if isinstance(node, ast.arg):
        return [(node.arg, 'any')]
    if isinstance(node, ast.withitem) and node.optional_vars:
        return bound_target(node.optional_vars, 'any')
    return []


def bound_target(target, value):
    if isinstance(target, ast.Name):
        return [(target.id, value)]
    if isinstance(target, (ast.Tuple, ast.List)):
        alike = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
        values = value.elts if alike else ['any'] * len(target.elts)
        return [pair for one, of in zip(target.elts, values) for pair in bound_target(one, of)]
    return []


class ListNames:
    """Names of what was a list in Python 2, and how they are used as lists."""

    def __init__(self, tree):
        self.names = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name, source = node.targets[0].id, source_of(node.value)
                self.names[name] = source if self.names.get(name, source) == source else None

    def of(self, node):
        return self.names.get(node.id) if isinstance(node, ast.Name) else source_of(node)

    def used(self, node):
        if isinstance(node, ast.Subscript):
            source = self.of(node.value)
            wanted = source if source != 'range' or not isinstance(node.ctx, ast.Load) else None
        elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mult)):
            wanted = self.of(node.left) or self.of(node.right)
        elif isinstance(node, ast.Attribute) and node.attr in LIST_METHODS:
            wanted = self.of(node.value)
        elif called(node) == 'len' and len(node.args) == 1:
            source = self.of(node.args[0])
            wanted = source if source in ITERATORS else None
        else:
            return None
        return '%s gives a list in Python 2, and none in Python 3' % wanted if wanted else None


def source_of(node):
    """What makes a list in Python 2 only."""
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Name) and node.func.id in ITERATORS | {'range'}:
        return node.func.id
    if isinstance(node.func, ast.Attribute) and node.func.attr in VIEWS and not node.args:
        return '.%s()' % node.func.attr
    return None
