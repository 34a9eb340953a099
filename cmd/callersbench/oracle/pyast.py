"""Prints what the syntax of a Python project says for certain of its functions: where each is called, and where it is taken as a value.

    python3 pyast.py PROJECT

Only functions are told of whose name nothing else has: the project binds it once, by a def, and neither a builtin nor a class of
the standard modules below has it. A use is certain behind its module, and of a method behind self, cls, super() or a class of its
family. Behind any other value it is "named": it may be a use, and an answer that has no doubts has it.
"""

import ast
import builtins
import importlib
import inspect
import json
import os
import sys

STANDARD = """argparse ast collections configparser contextlib csv datetime decimal email.message enum fractions functools hashlib
http.client inspect io itertools json logging logging.handlers multiprocessing os pathlib pickle queue random re shutil socket sqlite3
ssl string struct subprocess sys tarfile tempfile textwrap threading time tokenize types typing unittest urllib.parse urllib.request
xml.dom.minidom xml.etree.ElementTree zipfile"""
HIDDEN = ("property", "setter", "getter", "deleter", "cached_property", "overload", "abstractproperty")  # their names are no calls

root = os.path.realpath(sys.argv[1])


class Function:
    def __init__(self, node, path, owner, column):
        self.name = owner.name + "." + node.name if owner else node.name
        self.owner, self.at = owner, place(path, node.lineno, column)
        self.uses = {"calls": [], "values": [], "named": [], "may": []}


class File:
    """A file of the project. Columns of ast are in bytes from 0."""

    def __init__(self, path):
        self.path = os.path.relpath(path, root).replace(os.sep, "/")
        with open(path, "rb") as file:
            self.text = file.read()
        self.lines = self.text.split(b"\n")
        self.tree = ast.parse(self.text)
        for parent in ast.walk(self.tree):
            for child in ast.iter_child_nodes(parent):
                child.parent = parent


def place(path, line, column):
    return {"path": path, "line": line, "column": column}


def standard():
    """The names that values of other people's types have."""
    names = set(dir(builtins))
    for module in [builtins, *map(importlib.import_module, STANDARD.split())]:
        names.update(vars(module))
        for value in vars(module).values():
            if inspect.isclass(value):
                names.update(dir(value))
    return names


def bound(node):
    """The names that a node binds, other than by a def."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        yield node.attr
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.alias) and node.asname:
        yield from (node.name, node.asname)
    elif isinstance(node, ast.ExceptHandler):
        yield node.name or ""
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from node.names
    elif isinstance(node, (ast.MatchAs, ast.MatchStar)):
        yield node.name or ""
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
        yield node.value  # getattr, __all__, patches


def owner_of(node):
    """The class that a function is a method of; None for one of a module, False for one inside of another function."""
    parent = node.parent
    while isinstance(parent, (ast.If, ast.Try, ast.With)):
        parent = parent.parent
    if isinstance(parent, ast.ClassDef) and isinstance(parent.parent, ast.Module):
        return parent
    return None if isinstance(parent, ast.Module) else False


def hidden(node):
    for decorator in node.decorator_list:
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        if (named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")) in HIDDEN:
            return True
    return node.name.startswith("__")


def candidates(files):
    """The functions whose names nothing else has, by name."""
    taken, defined = standard(), {}
    for file in files:
        for node in ast.walk(file.tree):
            taken.update(bound(node))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                defined.setdefault(node.name, []).append((file, node))
    all = {}
    for name, found in defined.items():
        (file, node), owner = found[0], owner_of(found[0][1])
        if len(found) == 1 and name not in taken and owner is not False and not hidden(node):
            column = file.lines[node.lineno - 1].index(name.encode(), node.col_offset + 3) + 1
            all[name] = Function(node, file.path, owner, column)
    return all


def families(files):
    """For each class its bases and the classes below it, directly or not, by names; of two classes of a name all."""
    near = {}
    for file in files:
        for node in ast.walk(file.tree):
            if isinstance(node, ast.ClassDef):
                near.setdefault(node.name, set()).update(base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases)
    def above(name, seen):
        for base in near.get(name, ()):
            if base not in seen:
                seen.add(base)
                above(base, seen)
        return seen
    up = {name: above(name, {name}) for name in near}
    return {name: up[name] | {other for other in near if name in up[other]} for name in near}


def class_around(node):
    while node is not None and not isinstance(node, ast.ClassDef):
        node = getattr(node, "parent", None)
    return node.name if node else None


def kind_of(node):
    """How an expression is used: called, or else taken."""
    parent = node.parent
    decorates = node in getattr(parent, "decorator_list", ())
    return "calls" if decorates or isinstance(parent, ast.Call) and parent.func is node else "values"


def use(function, file, node, family):
    """Notes a name or an attribute that may mean a function."""
    if isinstance(node, ast.Name):
        inside = isinstance(node.parent, ast.ClassDef) or class_around(node)
        certain = not function.owner
        if function.owner and not inside:
            return
        at, kind = node.col_offset, kind_of(node) if certain else "may"
    else:
        at, kind = node.end_col_offset - len(node.attr.encode()), kind_of(node)
        if not certain_receiver(function, node.value, family):
            kind = "named"
    line = node.end_lineno if isinstance(node, ast.Attribute) else node.lineno
    if isinstance(node.parent, ast.Dict) and node in node.parent.keys:
        kind = "may"
    function.uses[kind].append(place(file.path, line, at + 1))


def certain_receiver(function, value, family):
    """Whether an attribute of a value with the function's name is the function."""
    if not function.owner:
        module = os.path.splitext(os.path.basename(function.at["path"]))[0]
        return value.attr == module if isinstance(value, ast.Attribute) else getattr(value, "id", None) == module
    if isinstance(value, ast.Call) and getattr(value.func, "id", "") == "super":
        return class_around(value) in family.get(function.owner.name, ())
    if not isinstance(value, ast.Name):
        return False
    if value.id in ("self", "cls"):
        return class_around(value.parent) in family.get(function.owner.name, ())
    return value.id in family and function.owner.name in family[value.id]


def read():
    for directory, _, names in os.walk(root):
        for name in sorted(names):
            if name.endswith(".py"):
                yield File(os.path.join(directory, name))


def main():
    files = list(read())
    all, family = candidates(files), families(files)
    for file in files:
        for node in ast.walk(file.tree):
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
            if name in all and isinstance(node.ctx, ast.Load):
                use(all[name], file, node, family)
    json.dump([{"name": f.name, "at": f.at, **f.uses} for f in all.values()], sys.stdout)


main()
