package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools"
)

// A laboratory tries changes of modules out.
type laboratory struct {
	gopls string
	temp  string
	each  int // changes of each kind in a module
}

// fetch copies the source of a module into a directory of its own, where go and
// gopls may write.
func (l *laboratory) fetch(ctx context.Context, module string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir, cmd.Env = l.temp, append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go mod download %s: %w: %s", module, err, out)
	}
	var downloaded struct{ Dir string }
	if err := json.Unmarshal(out, &downloaded); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(l.temp, "module-")
	if err != nil {
		return "", err
	}
	if err := os.CopyFS(dir, os.DirFS(downloaded.Dir)); err != nil {
		return "", err
	}
	tidy := exec.CommandContext(ctx, "go", "mod", "download", "all")
	tidy.Dir, tidy.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := tidy.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go mod download all of %s: %w: %s", module, err, out)
	}
	return dir, nil
}

// open starts gopls over a module. The caller closes the project.
func (l *laboratory) open(dir string) (*lsp.Project, error) {
	var table []lsp.Language
	for _, language := range lsp.Languages() {
		if language.ID == "go" {
			language.Command = []string{l.gopls}
			table = append(table, language)
		}
	}
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	return lsp.Open(lsp.Options{Root: dir, Languages: table, Env: env, ReadyBudget: 2 * time.Minute})
}

// trials asks the questions of a module. Without scorers the edges that a walk
// comes to are kept, with scorers how each orders the places.
func (l *laboratory) trials(ctx context.Context, module string, scorers []scout.Scorer) ([]*trial, error) {
	dir, err := l.fetch(ctx, module)
	if err != nil {
		return nil, err
	}
	asked, err := questions(dir, l.each)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", module, err)
	}
	project, err := l.open(dir)
	if err != nil {
		return nil, err
	}
	defer project.Close(context.WithoutCancel(ctx))
	if err := project.WaitReady(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", module, err)
	}
	b := &bench{toolset: tools.Scout{Project: project, Root: filepath.Clean(dir)}}
	var list []*trial
	for _, q := range asked {
		if t := b.try(ctx, q, scorers); t != nil {
			list = append(list, t)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return list, nil
}

// A recorder is the heuristic scorer that keeps what it is shown.
type recorder struct {
	scout.Heuristic
	mu    sync.Mutex
	edges []scout.Edge
}

// Score keeps the edges and scores them.
func (r *recorder) Score(ctx context.Context, q scout.Query, edges []scout.Edge) ([]scout.Score, error) {
	r.mu.Lock()
	r.edges = append(r.edges, edges...)
	r.mu.Unlock()
	return r.Heuristic.Score(ctx, q, edges)
}
