package syntax

import (
	"path"
	"strconv"
	"strings"
)

// Imported returns the path of the package that the file imports under a name, and whether the file gives it that name; without, the
// name must be that of the package's own clause.
func (f *File) Imported(name string) (full string, given bool) {
	for _, spec := range f.head.Imports {
		at, err := strconv.Unquote(spec.Path.Value)
		switch {
		case err != nil:
		case spec.Name != nil && spec.Name.Name == name:
			return at, true
		case spec.Name == nil && (path.Base(at) == name || path.Base(path.Dir(at)) == name && majorVersion.MatchString(path.Base(at))):
			full = at
		}
	}
	return full, false
}

// FuncsNamed returns where the package's functions of a name are declared in the usual way of writing.
func (f *File) FuncsNamed(name string) []Position { return f.declaredAs(name, "func ", SortFunction) }

// TypesNamed returns where types of a name are declared in the usual way of writing, those in groups left out.
func (f *File) TypesNamed(name string) []Position { return f.declaredAs(name, "type ", SortType) }

func (f *File) declaredAs(name, before string, sort Sort) []Position {
	var all []Position
	for _, at := range f.words(name) {
		if f.before(at) != before {
			continue
		}
		if d, ok := f.Declares(at); ok && d.Sort == sort {
			all = append(all, at)
		}
	}
	return all
}

// MethodsNamed returns where methods of a name are declared in the usual way of writing, by the names of their types; those of
// interfaces that the package declares, too.
func (f *File) MethodsNamed(name string) map[string]Position {
	all := make(map[string]Position)
	for _, at := range f.words(name) {
		before := f.before(at)
		method := strings.HasPrefix(before, "func (") && strings.HasSuffix(before, ") ")
		if !method && (strings.TrimSpace(before) != "" || !strings.HasPrefix(f.src[f.offset(at)+len(name):], "(")) {
			continue
		}
		d, ok := f.Declares(at)
		ok = ok && (d.Sort == SortMethod || d.Sort == SortInterfaceMethod)
		of := strings.TrimSuffix(d.Name, "."+name)
		if ok && d.Sort == SortInterfaceMethod {
			of, ok = f.InterfaceOf(at)
			ok = ok && of+"."+name == d.Name // it is that of the declaration, and not one within it
		}
		if ok {
			all[of] = at
		}
	}
	return all
}
