package tools

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"tidepool/lsp"
	"tidepool/lsp/lsptest"
)

// zoo is the code toolset over a copy of testdata/zoo, served by one gopls for all tests of the package.
var zoo *Code

func TestMain(m *testing.M) {
	lsptest.Main()
	if method := os.Getenv(stallOn); method != "" {
		os.Exit(lsptest.Without(method, os.Args[1]))
	}
	code, err := serveZoo(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		code = 1
	}
	os.Exit(code)
}

func serveZoo(run func() int) (int, error) {
	// A directory as people have it: with a space and more than ASCII.
	dir, err := os.MkdirTemp("", "zoo ü ")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS("testdata/zoo")); err != nil {
		return 0, err
	}
	project, err := openProject(dir)
	if err != nil {
		return 0, err
	}
	zoo = &Code{Project: project, Root: dir}
	code := run()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return code, project.Close(ctx)
}

func openProject(dir string) (*lsp.Project, error) {
	gopls, err := findGopls()
	if err != nil {
		return nil, err
	}
	return openWith(dir, gopls)
}

func openWith(dir, gopls string) (*lsp.Project, error) {
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

// findGopls looks for bin/gopls beside go.work, then on PATH.
func findGopls() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err != nil {
			continue
		}
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

// stallOn is the environment variable that makes the test binary the server named by its first argument, without requests
// of a method.
const stallOn = "TOOLS_TEST_STALL"
