package rules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// stateOwner is the one package that opens what is below .tidepool.
const stateOwner = "internal/state"

// openers are the functions of package os that open, change or list what a path leads to.
var openers = []string{
	"Chmod", "Chown", "Chtimes", "CopyFS", "Create", "CreateTemp", "DirFS", "Lchown", "Link", "Mkdir", "MkdirAll", "MkdirTemp", "Open", "OpenFile",
	"OpenInRoot", "OpenRoot", "ReadDir", "ReadFile", "Readlink", "Remove", "RemoveAll", "Rename", "Symlink", "Truncate", "WriteFile",
}

// otherPlaces are the calls of these functions in packages that keep something in the state directory, as "file function":
// each with what it opens instead.
var otherPlaces = map[string]string{
	"controlserver/internal/command/call.go os.WriteFile":    "the catalogue of tools, in a directory that its user names",
	"agent/internal/launch/spawn.go os.OpenFile":             "the null device",
	"internal/daemon/daemon.go os.MkdirAll":                  "the directory of a socket that the user has named outside of the state directory",
	"internal/golang/coverage/ask.go os.ReadFile":            "source files",
	"internal/golang/coverage/file.go os.ReadFile":           "source files",
	"internal/golang/coverage/module.go os.ReadFile":         "go.mod and go.work",
	"internal/golang/coverage/tree.go os.ReadFile":           "go.sum and its like",
	"internal/setup/file.go os.Open":                         "directories of Claude Code's files",
	"internal/setup/file.go os.OpenFile":                     "Claude Code's files",
	"internal/setup/file.go os.ReadDir":                      "directories of Claude Code's files",
	"internal/setup/file.go os.ReadFile":                     "Claude Code's files",
	"internal/setup/file.go os.Remove":                       "temporary files beside Claude Code's files",
	"internal/setup/own.go os.Mkdir":                         "directories of Claude Code's files",
	"internal/setup/own.go os.Remove":                        "Claude Code's files, and directories that become empty",
	"internal/setup/own.go os.Rename":                        "Claude Code's files",
	"internal/golang/wasmtest/gocommand.go os.ReadFile":      "source files",
	"internal/golang/wasmtest/runner.go os.MkdirTemp":        "a directory below the system's for temporary files, where there is no state directory",
	"internal/golang/wasmtest/sandbox.go os.OpenRoot":        "the module whose tests run",
	"internal/golang/wasmtest/sandbox.go os.ReadFile":        "the binary that the parent process has just had built, in the sandbox's own process",
	"controlserver/internal/command/sandbox.go os.MkdirTemp": "a directory below the system's for temporary files",
	"controlserver/internal/command/sandbox.go os.RemoveAll": "the same",
	"internal/policyfile/dir.go os.OpenRoot":                 "the directories of an organisation's and a team's policies",
	"internal/sandbox/gitlinks.go os.ReadDir":                "git directories of the project",
	"internal/sandbox/inventory.go os.Readlink":              "links of the project, to compare them",
	"internal/sandbox/saved.go os.ReadFile":                  "protected files of the project",
	"internal/sandbox/saved.go os.Readlink":                  "protected links of the project",
	"internal/sandbox/saved.go os.ReadDir":                   "protected directories of the project",
	"internal/sandbox/sockets.go os.ReadFile":                "/proc",
	"internal/sandbox/tree.go os.ReadDir":                    "directories of the project, without its .tidepool",
	"internal/sandbox/undo.go os.OpenRoot":                   "the project, out of which no link leads",
	"internal/sandbox/undo.go os.Readlink":                   "links of the project, to compare them",
	"internal/sandbox/view.go os.Open":                       "directories of the machine, for their names",
	"internal/sandbox/worktree.go os.OpenFile":               "git's files of linked worktrees",
	"internal/skill/open.go os.OpenRoot":                     "the directories of the project and of the user around .claude",
	"internal/sandbox/worktree.go os.ReadDir":                "git's files of linked worktrees",
	"lsp/internal/clang/store.go os.MkdirAll":                "the user's cache, where there is no state directory",
	"lsp/internal/process/resident_linux.go os.ReadFile":     "/proc",
	"lsp/internal/process/scratch.go os.RemoveAll":           "directories below the system's for temporary files",
	"lsp/internal/process/scratch_other.go os.MkdirTemp":     "directories below the system's for temporary files",
	"lsp/internal/process/scratch_unix.go os.MkdirTemp":      "directories below the system's for temporary files",
	"lsp/internal/process/scratch_unix.go os.Open":           "directories below the system's for temporary files",
	"lsp/internal/process/scratch_unix.go os.OpenFile":       "directories below the system's for temporary files",
	"lsp/internal/process/scratch_unix.go os.RemoveAll":      "directories below the system's for temporary files",
	"lsp/internal/process/scratch.go os.Mkdir":               "directories below the system's for temporary files",
	"lsp/internal/process/scratch.go os.ReadDir":             "the system's directory for temporary files",
	"scout/training/module.go os.ReadFile":                   "go.mod",
}

// readsSources is the package that reads sources in nearly each of its files: those that name package state are the ones that
// keep something.
const readsSources = "lsp/internal/clang"

// ownProjects are programs for people and helpers of tests: they work on projects of their own making.
var ownProjects = []string{"cmd/bench", "cmd/callersbench", "cmd/demo", "cmd/doorsbench", "cmd/execbench", "cmd/largebench", "cmd/soak", "cmd/scoutbench", "cmd/screenshots", "cmd/teachbench", "internal/sandbox/escape", "internal/checkout", "internal/daemontest", "internal/mcptest/conformance", "agent/internal/peertest"}

// namers are the files that make a path below .tidepool without opening it.
var namers = map[string]string{
	"internal/config/config.go": "the path of the settings, which load.go opens through package state",
	"protocol/locate.go":        "looks whether there is such a directory",
}

// Who opens a path below .tidepool by package os follows the links that a clone has put there.
func TestRuleOnePackageOpensState(t *testing.T) {
	unused := map[string]bool{}
	for call := range otherPlaces {
		unused[call] = true
	}
	for _, p := range goList(t, "./...", "./agent/...") {
		from := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "tidepool"), "/") // "" is the module itself
		if from == stateOwner || slices.Contains(ownProjects, from) {
			continue
		}
		keeps := slices.Contains(p.Imports, "tidepool/"+stateOwner)
		all, err := filepath.Glob(filepath.Join(from, "*.go")) // those of other systems, too
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range all {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			r := stateReader{t: t, path: path, files: token.NewFileSet(), unused: unused}
			syntax, err := parser.ParseFile(r.files, path, text, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if r.keeps = keeps; from == readsSources {
				r.keeps = importsState(syntax)
			}
			ast.Inspect(syntax, r.look)
		}
	}
	for call := range unused {
		t.Errorf("otherPlaces names %s, which is not there any more", call)
	}
}

func importsState(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == strconv.Quote("tidepool/"+stateOwner) })
}

// A stateReader looks for calls in one file.
type stateReader struct {
	t      *testing.T
	path   string
	files  *token.FileSet
	keeps  bool // the package keeps something in the state directory
	unused map[string]bool
}

func (r *stateReader) look(n ast.Node) bool {
	call, is := n.(*ast.CallExpr)
	if !is {
		return true
	}
	of, name := called(call)
	where := fmt.Sprintf("%s os.%s", r.path, name)
	delete(r.unused, where)
	if r.keeps && of == "os" && slices.Contains(openers, name) && otherPlaces[where] == "" {
		r.t.Errorf("%s calls os.%s: what is below .tidepool is opened by package state; if it is something else, otherPlaces names it",
			r.files.Position(call.Pos()), name)
	}
	if (of == "os" || of == "filepath") && namers[r.path] == "" && slices.ContainsFunc(call.Args, namesState) {
		r.t.Errorf("%s gives a path of .tidepool to %s.%s: state.Of makes it, and package state opens it", r.files.Position(call.Pos()), of, name)
	}
	return true
}

// called is the package and the function of a call, "" if it is no such call.
func called(call *ast.CallExpr) (of, name string) {
	if s, is := call.Fun.(*ast.SelectorExpr); is {
		if x, is := s.X.(*ast.Ident); is {
			return x.Name, s.Sel.Name
		}
	}
	return "", ""
}

// namesState reports whether an argument has the name of the state directory in it.
func namesState(argument ast.Expr) (found bool) {
	ast.Inspect(argument, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			found = found || n.Kind == token.STRING && strings.Contains(n.Value, ".tidepool")
		case *ast.SelectorExpr:
			of, is := n.X.(*ast.Ident)
			found = found || is && of.Name == "protocol" && n.Sel.Name == "StateDir"
		case *ast.FuncLit:
			return false
		}
		return true
	})
	return found
}
