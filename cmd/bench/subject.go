package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/sample"
	"tidepool/lsp"
	"tidepool/tools"
	"tidepool/tools/code"
	"tidepool/tools/lang"
)

// A subject is a language, a project of it, and what is asked about.
type subject struct {
	program  string // for people
	sample   *sample.Project
	language lsp.Language
	sources  []string // that a bare server is shown before it loads the project, below it
}

// subjects returns those of the four languages, in the order of their rows.
func subjects() []subject {
	return []subject{
		{program: "gopls", sample: sample.Go(300)},
		{program: "tsserver", sample: sample.TypeScript(300)},
		{program: "pyright", sample: sample.Python(300)},
		{program: "clangd", sample: sample.C(120), sources: []string{"src/hub.c"}},
	}
}

// A site is a subject laid out on the disk.
type site struct {
	subject
	dir string
	env []string
}

// newSite lays a subject out in a directory of its own, with empty caches.
func (b *bench) newSite(of subject) (*site, error) {
	dir, err := os.MkdirTemp(b.temp, of.sample.Language+"-")
	if err != nil {
		return nil, err
	}
	s := &site{subject: of, dir: filepath.Join(dir, "project")}
	if s.env, err = b.serverEnv(filepath.Join(dir, "cache")); err != nil {
		return nil, err
	}
	for _, language := range lsp.Languages() {
		if language.ID == of.sample.Language {
			s.language = language
		}
	}
	if s.language.Command[0], err = b.find(s.language.Command[0]); err != nil {
		return nil, err
	}
	return s, of.sample.Write(s.dir)
}

// serverEnv returns the environment of language servers, with their caches in a directory; the compiler's stays where it is.
func (b *bench) serverEnv(caches string) ([]string, error) {
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOCACHE: %w", err)
	}
	return append(os.Environ(), "GOWORK=off", "GOCACHE="+strings.TrimSpace(string(goCache)), "XDG_CACHE_HOME="+caches,
		"TMPDIR="+b.temp, "PATH="+b.path()), nil
}

// path is PATH with what make has installed in front.
func (b *bench) path() string {
	return strings.Join([]string{b.bin, filepath.Join(b.bin, "servers", "node_modules", ".bin"), os.Getenv("PATH")}, string(filepath.ListSeparator))
}

func (b *bench) find(program string) (string, error) {
	for _, dir := range filepath.SplitList(b.path()) {
		if path, err := exec.LookPath(filepath.Join(dir, program)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is missing: run make bin/gopls bin/servers", program)
}

// asked returns the function that calls are about; it has been called from that many places.
func (s *site) asked() (name string, callers int) {
	name = s.sample.Functions()[0]
	return name, len(s.sample.Callers[name])
}

// place returns where that function is declared.
func (s *site) place() lsp.Location {
	name, _ := s.asked()
	path, line, column := s.sample.Declaration(name)
	return lsp.At(filepath.Join(s.dir, filepath.FromSlash(path)), line, column)
}

// A warm is a subject that is served by us.
type warm struct {
	*site
	project  *lsp.Project
	registry *tools.Registry
}

// serve opens the project as the daemon does. Close it when done.
func (s *site) serve() (*warm, error) {
	project, err := lsp.Open(lsp.Options{Root: s.dir, Env: s.env, Languages: []lsp.Language{s.language}, ReadyBudget: time.Minute})
	if err != nil {
		return nil, err
	}
	w := &warm{site: s, project: project, registry: tools.NewRegistry()}
	return w, w.registry.Discover(&code.Toolset{Project: project, Root: s.dir, Memory: new(lang.Memory)})
}

func (w *warm) close(ctx context.Context) { _ = w.project.Close(context.WithoutCancel(ctx)) }

// ask calls the tool.
func (w *warm) ask(ctx context.Context) (tools.Result, error) {
	name, _ := w.asked()
	arguments, err := json.Marshal(map[string]any{"name": name})
	if err != nil {
		return tools.Result{}, err
	}
	return w.registry.Call(ctx, tools.Call{Tool: "find_callers"}, arguments)
}

// callers asks for the callers, of which there must be so many, in a complete answer.
func (w *warm) callers(ctx context.Context, want int) error {
	reply, err := w.ask(ctx)
	if err != nil {
		return err
	}
	var result struct {
		Total        int              `json:"total"`
		Completeness lsp.Completeness `json:"completeness"`
	}
	if err := json.Unmarshal(reply.JSON, &result); err != nil {
		return err
	}
	if result.Total != want || result.Completeness.State != lsp.Complete {
		return fmt.Errorf("find_callers finds %d, want %d; %s %s", result.Total, want, result.Completeness.State, result.Completeness.Reason)
	}
	return nil
}
