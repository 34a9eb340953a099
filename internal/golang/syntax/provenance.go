package syntax

import (
	"go/ast"
	"go/build/constraint"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var written = regexp.MustCompile(`^// Code generated (?:(?:automatically )?(?:by|with|from|using) )?(.*?)[.;,]?\s*DO NOT EDIT\.$`)

// Generator returns what the file says has written it, "stringer -type=Kind"; "" if no program has, or it does not say which.
func (f *File) Generator() string {
	for _, group := range f.syntax.Comments {
		if group.Pos() > f.syntax.Package {
			break
		}
		for _, line := range group.List {
			if found := written.FindStringSubmatch(line.Text); found != nil {
				return strings.Trim(found[1], "\"'`.;, ")
			}
		}
	}
	return ""
}

// Constraint returns what a build needs to have the file, by its name and its go:build line: "windows && !cgo"; "" for a file
// that every build has.
func (f *File) Constraint() string {
	needs := named(f.Path)
	for _, group := range f.syntax.Comments {
		if group.Pos() > f.syntax.Package {
			break
		}
		for _, line := range group.List {
			if !constraint.IsGoBuild(line.Text) {
				continue
			}
			expr, err := constraint.Parse(line.Text)
			if err != nil {
				continue
			}
			return joined(needs, expr)
		}
	}
	return needs
}

// joined asks for what the name of a file says and for an expression, each once.
func joined(needs string, expr constraint.Expr) string {
	var all []string
	for _, tag := range strings.Split(needs, " && ") {
		if tag != "" && !requires(expr, tag) {
			all = append(all, tag)
		}
	}
	text := expr.String()
	if _, either := expr.(*constraint.OrExpr); either && len(all) > 0 {
		text = "(" + text + ")"
	}
	return strings.Join(append(all, text), " && ")
}

// requires reports whether an expression asks for a tag whatever else it does.
func requires(expr constraint.Expr, tag string) bool {
	switch e := expr.(type) {
	case *constraint.TagExpr:
		return e.Tag == tag
	case *constraint.AndExpr:
		return requires(e.X, tag) || requires(e.Y, tag)
	}
	return false
}

// named returns what the name of a file asks of a build: net_windows_arm64.go "windows && arm64".
func named(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	_, after, _ := strings.Cut(strings.TrimSuffix(name, "_test"), "_") // what comes before is never a system
	parts := strings.Split(after, "_")
	last := len(parts) - 1
	switch {
	case last > 0 && isArch(parts[last]) && isSystem(parts[last-1]):
		return parts[last-1] + " && " + parts[last]
	case isArch(parts[last]), isSystem(parts[last]):
		return parts[last]
	}
	return ""
}

// isSystem reports whether go build takes the end of a file's name for a system.
func isSystem(name string) bool {
	return slices.Contains([]string{
		"aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "js", "linux", "nacl", "netbsd",
		"openbsd", "plan9", "solaris", "wasip1", "windows", "zos",
	}, name)
}

// isArch reports whether go build takes the end of a file's name for an architecture.
func isArch(name string) bool {
	return slices.Contains([]string{
		"386", "amd64", "amd64p32", "arm", "armbe", "arm64", "arm64be", "loong64", "mips", "mipsle", "mips64", "mips64le",
		"mips64p32", "mips64p32le", "ppc", "ppc64", "ppc64le", "riscv", "riscv64", "s390", "s390x", "sparc", "sparc64", "wasm",
	}, name)
}

// Generate returns the commands of the file's go:generate lines, in their order.
func (f *File) Generate() []string {
	var commands []string
	for _, group := range f.syntax.Comments {
		for _, line := range group.List {
			if command, ok := strings.CutPrefix(line.Text, "//go:generate "); ok && f.position(line.Pos()).Column == 1 {
				commands = append(commands, strings.TrimSpace(command))
			}
		}
	}
	return commands
}

// FailsAt reports whether the function or method that is declared at a position, of an interface too, says that an error
// is its last result.
func (f *File) FailsAt(at Position) bool {
	c, ok := f.identifier(at)
	if !ok {
		return false
	}
	var signature *ast.FuncType
	switch n := c.Parent().Node().(type) {
	case *ast.FuncDecl:
		signature = n.Type
	case *ast.Field:
		signature, _ = n.Type.(*ast.FuncType)
	}
	if signature == nil || signature.Results == nil || len(signature.Results.List) == 0 {
		return false
	}
	last, ok := signature.Results.List[len(signature.Results.List)-1].Type.(*ast.Ident)
	return ok && last.Name == "error"
}
