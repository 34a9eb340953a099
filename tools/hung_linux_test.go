package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tidepool/lsp"
	"tidepool/lsp/lsptest"
	"tidepool/scout"
	"tidepool/teach"
	"tidepool/tools"
	"tidepool/tools/code"
	"tidepool/tools/internal/toolstest"
	"tidepool/tools/lang"
	scouttools "tidepool/tools/scout"
	teachtools "tidepool/tools/teach"
)

const hungProject = `
-- go.mod --
module example.com/shop

go 1.26
-- price/price.go --
package price

type Item struct{ Name string }

func Of(item Item) int { return len(item.Name) }
-- main.go --
package main

import "example.com/shop/price"

func main() { println(price.Of(price.Item{})) }
`

// hungShop is a project whose gopls is stopped for good once stop is called.
func hungShop(t *testing.T) (dir string, r *tools.Registry, project *lsp.Project, stop func()) {
	t.Helper()
	dir = t.TempDir()
	lsptest.Write(t, dir, hungProject)
	project, err := toolstest.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	pid := 0
	t.Cleanup(func() {
		if pid != 0 {
			syscall.Kill(-pid, syscall.SIGKILL) // nothing else ends it at once
		}
		if err := project.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	r = tools.NewRegistry()
	memory := new(lang.Memory)
	for _, set := range []tools.Toolset{
		&code.Toolset{Project: project, Root: dir, Memory: memory},
		&scouttools.Toolset{Project: project, Root: dir, Memory: memory, Scorer: scout.Heuristic{}},
		&teachtools.Toolset{Project: project, Root: dir, Memory: memory, Selector: teach.Heuristic{}},
	} {
		if err := r.Discover(set); err != nil {
			t.Fatal(err)
		}
	}
	return dir, r, project, func() {
		for pid == 0 {
			pid = project.Status()[0].PID
		}
		if err := syscall.Kill(-pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
}

// While a server does not answer, a call says what is known and that the rest is not known yet, first of all, and takes no
// more than the time that its caller waits: whether the server was stopped as it started, before it looked at a change, or
// when it knew everything.
func TestStoppedServer(t *testing.T) {
	ready := func(t *testing.T, p *lsp.Project) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		if err := p.WaitReady(ctx); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]func(t *testing.T, dir string, p *lsp.Project, stop func()){
		"starting": func(t *testing.T, dir string, p *lsp.Project, stop func()) { stop() },
		"a change": func(t *testing.T, dir string, p *lsp.Project, stop func()) {
			ready(t, p)
			stop()
			lsptest.Put(t, filepath.Join(dir, "more.go"), "package main\n\nimport \"example.com/shop/price\"\n\nvar x = price.Of(price.Item{})\n")
		},
		"ready": func(t *testing.T, dir string, p *lsp.Project, stop func()) { ready(t, p); stop() },
	}
	for name, prepare := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, r, project, stop := hungShop(t)
			prepare(t, dir, project, stop)
			var asking sync.WaitGroup
			for _, call := range []struct{ tool, arguments string }{
				{"find_callers", `"name":"Of"`}, {"show_fields", `"type_name":"price.Item"`}, {"show_constructors", `"type_name":"Item"`},
				{"scout", `"query":"add a parameter","symbols":["price.Of"],"change":"add_parameter"`},
				{"teach-graph", `"topic":"prices","seeds":["price.Of"]`},
			} {
				asking.Go(func() {
					const wait = 3 * time.Second
					begun := time.Now()
					result, err := r.Call(t.Context(), tools.Call{Tool: call.tool}, json.RawMessage(fmt.Sprintf(`{%s,"wait_seconds":%v}`, call.arguments, wait.Seconds())))
					if took := time.Since(begun); took > 2*wait {
						t.Errorf("%s took %v of %v", call.tool, took, wait)
					}
					if err != nil {
						t.Errorf("%s: %v", call.tool, err)
						return
					}
					open := strings.Contains(result.Text, "not known yet") || strings.Contains(result.Text, "it was found by the text of the files")
					if !strings.HasPrefix(result.Text, "(indexing: ") || !open ||
						strings.Contains(result.Text, "not found") || !strings.Contains(string(result.JSON), `"state":"indexing"`) {
						t.Errorf("%s: text %s\n%s", call.tool, result.Text, result.JSON)
					}
				})
			}
			asking.Wait()
		})
	}
}

// A request that does not come back costs its part of an answer, which says so, and not the whole.
func TestOneSlowRequest(t *testing.T) {
	dir := t.TempDir()
	lsptest.Write(t, dir, `
-- go.mod --
module example.com/shop

go 1.26
-- shop.go --
package shop

type Payer interface{ Pay(cents int) error }

type Card struct{}

func (Card) Pay(cents int) error { return nil }

func Charge(p Payer) error { return p.Pay(1) }
`)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	gopls, err := toolstest.Gopls()
	if err != nil {
		t.Fatal(err)
	}
	languages := lsp.Languages()
	for i := range languages {
		if languages[i].ID == "go" {
			languages[i].Command = []string{self, gopls}
		}
	}
	project, err := lsp.Open(lsp.Options{
		Root: dir, Languages: languages, ReadyBudget: 5 * time.Minute,
		Env: append(os.Environ(), "GOWORK=off", toolstest.StallOn+"=textDocument/implementation", "GORACE=atexit_sleep_ms=0"),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer project.Close(context.Background())
	r := tools.NewRegistry()
	memory := new(lang.Memory)
	for _, set := range []tools.Toolset{
		&code.Toolset{Project: project, Root: dir, Memory: memory},
		&scouttools.Toolset{Project: project, Root: dir, Memory: memory, Scorer: scout.Heuristic{}},
	} {
		if err := r.Discover(set); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	if err := project.WaitReady(ctx); err != nil {
		t.Fatal(err)
	}
	for _, call := range []struct{ tool, arguments, want string }{
		{"find_callers", `"name":"Payer.Pay"`, "shop.go:9: func Charge(p Payer) error"},
		{"scout", `"query":"who uses Payer","symbols":["Payer"],"change":"other"`, "9 Charge"},
	} {
		result, err := r.Call(t.Context(), tools.Call{Tool: call.tool}, json.RawMessage(`{`+call.arguments+`,"wait_seconds":3}`))
		if err != nil {
			t.Errorf("%s %s: %v", call.tool, call.arguments, err)
			continue
		}
		if !strings.HasPrefix(result.Text, "(indexing: ") || !strings.Contains(result.Text, "textDocument/implementation") || !strings.Contains(result.Text, call.want) {
			t.Errorf("%s %s, want %q:\n%s", call.tool, call.arguments, call.want, result.Text)
		}
	}
}
