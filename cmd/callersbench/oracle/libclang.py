"""Prints what clang knows of the functions of a project: where each is called, and where it is taken as a value.

    python3 libclang.py PROJECT

compile_commands.json of the project says what is compiled, and how. A use in the arguments of a macro stands where it is written,
one in the body of a macro where the macro is used. Constructors, destructors and operators are left out, and so are functions that
units define differently, that macros name, and that classes inside of functions have.
"""

import ctypes
import json
import os
import sys

from clang import cindex
from clang.cindex import CursorKind as Kind

FUNCTIONS = (Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.FUNCTION_TEMPLATE)
USES = (Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR, Kind.OVERLOADED_DECL_REF)
WRAPPERS = (Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR, Kind.UNARY_OPERATOR, Kind.CSTYLE_CAST_EXPR)
QUALIFIERS = (Kind.TYPE_REF, Kind.TEMPLATE_REF, Kind.NAMESPACE_REF)
CLASSES = (Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.UNION_DECL, Kind.CLASS_TEMPLATE, Kind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION)

root = os.path.realpath(sys.argv[1])
clang = cindex.conf.lib
clang.clang_getFileLocation.argtypes = [cindex.SourceLocation, ctypes.c_void_p] + [ctypes.POINTER(ctypes.c_uint)] * 3


class Function:
    """One function of the project, whatever units declare it."""

    def __init__(self, cursor):
        self.usr, self.name, self.base = cursor.get_usr(), name_of(cursor), cursor.spelling
        self.defined, self.calls, self.values = set(), set(), set()  # places
        self.overrides = set()  # keys of the methods that it overrides, directly or not


functions = {}  # by key
virtual = []  # uses of virtual methods: the key of the method, the place
known_files = set()  # those that a unit reads
unsure = {}  # where a template names what depends on its arguments, by the name
paths = {}  # below the project, by what clang calls a file


def below(name):
    """The slash path of a file below the project; None for one outside."""
    if name not in paths:
        relative = os.path.relpath(os.path.realpath(name), root)
        paths[name] = None if relative.startswith("..") else relative.replace(os.sep, "/")
    return paths[name]


def place(location):
    """Where a name stands; None outside of the project."""
    file, line, column = cindex.c_object_p(), ctypes.c_uint(), ctypes.c_uint()
    clang.clang_getFileLocation(location, ctypes.byref(file), ctypes.byref(line), ctypes.byref(column), None)
    path = below(cindex.File(file).name) if file else None
    return (path, line.value, column.value) if path else None


def key(cursor):
    """What tells a function from others. Those that a unit has for itself may be other ones in another unit."""
    template = clang.clang_getSpecializedCursorTemplate(cursor)
    cursor = template if template and template.kind in FUNCTIONS else cursor
    own = cursor.linkage == cindex.LinkageKind.INTERNAL
    return cursor.get_usr(), place(cursor.canonical.location) if own else None


def name_of(cursor):
    """T::m; "" for a function that a class inside of a function has."""
    name, owner = cursor.spelling, cursor.semantic_parent
    while owner is not None and owner.kind in CLASSES:
        name, owner = (owner.spelling + "::" if owner.spelling else "") + name, owner.semantic_parent
    return "" if owner is not None and owner.kind in FUNCTIONS else name


def written(name, at):
    """Whether a name stands at a place: that of what a macro names does not."""
    path, line, column = at
    with open(os.path.join(root, path), "rb") as file:
        return file.read().split(b"\n")[line - 1].startswith(name.encode(), column - 1)


def known(cursor):
    id = key(cursor)
    if id not in functions:
        functions[id] = Function(cursor)
    return functions[id]


def declare(cursor):
    function = known(cursor)
    if cursor.is_definition() or cursor.kind == Kind.CXX_METHOD and cursor.is_pure_virtual_method():
        function.defined.add(place(cursor.location))
    if cursor.kind == Kind.CXX_METHOD and not function.overrides:
        function.overrides = set(overridden(cursor))


def overridden(cursor):
    """The keys of the methods that a method overrides, directly or not."""
    found, count = ctypes.POINTER(cindex.Cursor)(), ctypes.c_uint()
    clang.clang_getOverriddenCursors(cursor, ctypes.byref(found), ctypes.byref(count))
    for i in range(count.value):
        base = found[i]
        base._tu = cursor._tu
        yield key(base)
        yield from overridden(base)


def use(cursor, called):
    at, meant = place(cursor.location), cursor.referenced
    if at is None:
        return
    if meant is None or meant.kind not in FUNCTIONS:
        for token in [cursor] if cursor.spelling else cursor.get_tokens():
            unsure.setdefault(token.spelling, set()).add(place(token.location))
        return
    function = known(meant)
    (function.calls if called else function.values).add(at)
    qualified = any(child.kind in QUALIFIERS for child in cursor.get_children())  # Base::m() runs no other
    if meant.kind == Kind.CXX_METHOD and meant.is_virtual_method() and not qualified:
        virtual.append((key(meant), at))


def walk(cursor, called=False):
    """Goes through an expression or a declaration. called: a call calls it."""
    kind = cursor.kind
    if kind in FUNCTIONS:
        declare(cursor)
    elif kind in USES:
        use(cursor, called)
    calls = kind == Kind.CALL_EXPR and calls_first(cursor) or called and kind in WRAPPERS
    for i, child in enumerate(cursor.get_children()):
        walk(child, calls and i == 0)


def calls_first(call):
    """Whether the first part of a call is what it calls: not of operators, whose parts stand as written, and of constructors."""
    meant = call.referenced
    return meant is None or meant.kind != Kind.CONSTRUCTOR and not meant.spelling.startswith("operator")


def read(unit):
    os.chdir(os.path.join(root, unit["directory"]))
    paths.clear()
    parsed = cindex.Index.create().parse(unit["file"], [a for a in unit["arguments"][1:] if a != unit["file"]])
    wrong = [str(d) for d in parsed.diagnostics if d.severity >= cindex.Diagnostic.Error]
    if wrong:
        sys.exit("\n".join(wrong[:10]))
    known_files.update(below(name) for name in [unit["file"], *(i.include.name for i in parsed.get_includes())])
    for cursor in parsed.cursor.get_children():
        if place(cursor.location):
            walk(cursor)


def unread():
    """The sources that no unit reads, such as those of other systems: their names mean whatever they mean there."""
    for directory, _, names in os.walk(root):
        for path in (os.path.relpath(os.path.join(directory, name), root) for name in names):
            if path not in known_files and path.endswith((".c", ".cc", ".cpp", ".h", ".hpp")):
                yield (path, 0, 0)


def told(function, alike, elsewhere):
    """What is printed of a function. Those alike have its name: what they are used for it may be used for in another unit."""
    (at,) = function.defined - {None}
    through = {use for method, use in virtual if method in function.overrides}
    beside = {at} & (function.calls | function.values)  # by the macro that makes the function
    may = elsewhere | unsure.get(function.base, set()) | beside | (function.calls & function.values)
    for other in alike:
        may |= other.calls | other.values
    uses = {"calls": function.calls, "values": function.values - function.calls, "through": through - function.calls, "may": may}
    listed = {what: [position(p) for p in sorted(places if what == "may" else places - beside)] for what, places in uses.items()}
    return {"name": function.name, "at": position(at), **listed}


def position(at):
    return {"path": at[0], "line": at[1], "column": at[2]}


def main():
    sys.setrecursionlimit(10000)
    with open(os.path.join(root, "compile_commands.json")) as file:
        for unit in json.load(file):
            read(unit)
    elsewhere = set(unread())
    named = {}
    for function in functions.values():
        named.setdefault(function.usr, []).append(function)
    all = []
    for function in functions.values():
        defined = {at for at in function.defined if at}
        left = function.name == "" or function.base.startswith(("operator", "~"))
        if len(defined) == 1 and not left and written(function.base, *defined):
            all.append(told(function, [f for f in named[function.usr] if f is not function], elsewhere))
    json.dump(all, sys.stdout)


main()
