package syntax

import (
	"go/ast"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// Embeds returns the name under which the type whose name stands at a position is embedded in a struct or interface;
// false if it is not.
func (f *File) Embeds(at Position) (string, bool) {
	c, id, err := f.named(at)
	if err != nil || declares(c) {
		return "", false
	}
	return id.Name, true
}

// A Scope is what names of packages mean in a file. It keeps nothing of the file's text.
type Scope struct {
	Path    string
	Package string // the name in its package clause; "" if the file broke before

	imports []*ast.ImportSpec
}

// Test reports whether only tests compile the file.
func (s *Scope) Test() bool { return strings.HasSuffix(s.Path, "_test.go") }

// Imports returns the paths of the packages that the file imports, by the names under which it uses them as far as the
// paths tell: the last element, or the one before a major version.
func (s *Scope) Imports() map[string]string {
	paths := make(map[string]string)
	for _, spec := range s.imports {
		full, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(full)
		if majorVersion.MatchString(name) {
			name = path.Base(path.Dir(full))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		paths[strings.TrimPrefix(name, "go-")] = full
	}
	return paths
}

// Imported returns the path of the package that the file imports under a name, and whether the file gives it that name; without, the
// name must be that of the package's own clause.
func (s *Scope) Imported(name string) (full string, given bool) {
	for _, spec := range s.imports {
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

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// Local reports whether what is declared at a position is declared in a function.
func (f *File) Local(at Position) bool {
	c, _, err := f.named(at)
	return err == nil && function(c.Parent()) != "" && !isFunc(c.Parent().Node())
}

func isFunc(n ast.Node) bool {
	_, ok := n.(*ast.FuncDecl)
	return ok
}
