package toolstest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"tidepool/lsp"
	"tidepool/lsp/lsptest"
)

// A Tree is a project on the disk, and who answers for it.
type Tree struct {
	Project *lsp.Project
	Root    string // absolute directory
}

// StallOn is the environment variable that makes the test binary the server named by its first argument, without requests
// of a method.
const StallOn = "TOOLS_TEST_STALL"

// Main runs the tests of a package. All of them may ask about a copy of the zoo, the project of Go below tools/testdata,
// which has a gopls of its own.
func Main(m *testing.M, use func(zoo Tree)) {
	Analyse()
	lsptest.Main()
	if method := os.Getenv(StallOn); method != "" {
		os.Exit(lsptest.Without(method, os.Args[1]))
	}
	code, err := serveZoo(m.Run, use)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		code = 1
	}
	os.Exit(code)
}

func serveZoo(run func() int, use func(Tree)) (int, error) {
	// A directory as people have it: with a space and more than ASCII.
	dir, err := os.MkdirTemp("", "zoo ü ")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(Testdata("zoo"))); err != nil {
		return 0, err
	}
	project, err := Open(dir)
	if err != nil {
		return 0, err
	}
	use(Tree{Project: project, Root: dir})
	code := run()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return code, project.Close(ctx)
}

// Testdata returns a path below tools/testdata, which the tests of all toolsets read.
func Testdata(name string) string {
	dir, _ := above("go.work")
	return filepath.Join(dir, "tools", "testdata", name)
}

// above finds the directory with a file, from the working directory up.
func above(file string) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, file)); err == nil {
			return dir, nil
		}
	}
	return "", fmt.Errorf("no %s above the working directory", file)
}

// Open opens a project whose Go is served by our gopls.
func Open(dir string) (*lsp.Project, error) {
	gopls, err := Gopls()
	if err != nil {
		return nil, err
	}
	return OpenWith(dir, gopls)
}

// OpenWith opens a project whose Go is served by a program.
func OpenWith(dir, gopls string) (*lsp.Project, error) {
	languages := lsp.Languages()
	for i := range languages {
		if languages[i].ID == "go" {
			languages[i].Command = []string{gopls}
		}
	}
	return lsp.Open(lsp.Options{
		Root: dir, Languages: languages, Env: append(os.Environ(), "GOWORK=off"), ReadyBudget: 5 * time.Minute, // far above what a busy machine takes
	})
}

// Gopls looks for bin/gopls beside go.work, then on PATH.
func Gopls() (string, error) {
	if dir, err := above("go.work"); err == nil {
		if path := filepath.Join(dir, "bin", "gopls"); exec.Command(path, "version").Run() == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath("gopls")
	if err != nil {
		return "", fmt.Errorf("gopls is missing: run `make bin/gopls`")
	}
	return path, nil
}

// Module serves a module of Go with these files by our gopls, until the test ends.
func Module(t testing.TB, files map[string]string) Tree {
	t.Helper()
	gopls, err := Gopls()
	if err != nil {
		t.Fatal(err)
	}
	return ModuleWith(t, gopls, files)
}

// ModuleWith serves a module of Go with these files by a program, until the test ends.
func ModuleWith(t testing.TB, gopls string, files map[string]string) Tree {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.test/m\n\ngo 1.26\n"
	for name, src := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(src), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	project, err := OpenWith(dir, gopls)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := project.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return Tree{Project: project, Root: dir}
}
