package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/checkout"
	"tidepool/lsp"
)

// A project is a size laid out on the disk, as a git repository.
type project struct {
	size
	top   string // the directory of the project and of all that is made for it
	dir   string // the project
	bin   string // the directory of the programs
	names lsp.Language

	files, lines int
	sources      []string // slash paths of the files that are asked about
	leaf, hub    string   // files to edit: one that nothing imports, one that most of the project imports
	sample       drawn
}

// lay fetches a project and finds out what to ask in it.
func (b *bench) lay(ctx context.Context, s size) (*project, error) {
	top := filepath.Join(b.temp, s.name)
	p := &project{size: s, top: top, dir: filepath.Join(top, "project"), bin: b.bin}
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return nil, err
	}
	var err error
	if p.names, err = p.server(); err != nil {
		return nil, err
	}
	if err := s.fetch(ctx, p); err != nil {
		return nil, fmt.Errorf("fetching %s: %w", s.source, err)
	}
	if err := p.commit(ctx); err != nil {
		return nil, err
	}
	if err := p.count(); err != nil {
		return nil, err
	}
	p.sample, err = p.draw()
	return p, err
}

// server returns the language with the path of its server's program.
func (p *project) server() (lsp.Language, error) {
	i := slices.IndexFunc(lsp.Languages(), func(l lsp.Language) bool { return l.ID == p.language })
	language := lsp.Languages()[i]
	for _, dir := range filepath.SplitList(checkout.SearchPath(p.bin)) {
		if path, err := exec.LookPath(filepath.Join(dir, language.Command[0])); err == nil {
			language.Command[0] = path
			return language, nil
		}
	}
	return language, fmt.Errorf("%s is missing: run make bin/gopls bin/servers", language.Command[0])
}

// checkout returns the project for a side, or for neither: "".
func (p *project) checkout(side string) *checkout.Checkout {
	return &checkout.Checkout{Dir: p.dir, Beside: filepath.Join(p.top, side), Bin: p.bin, Env: p.env(side)}
}

// env returns the environment of a side: with caches and state of its own and without a proxy for modules. The compiler's own cache
// stays where it is, filled by the fetch.
func (p *project) env(side string) []string {
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "TIDEPOOL_") || strings.HasPrefix(entry, "CLAUDE_")
	})
	below := filepath.Join(p.top, side)
	return append(env, "GOWORK=off", "GOFLAGS=-mod=readonly", "GOPROXY=off", "PATH="+checkout.SearchPath(p.bin),
		"XDG_CACHE_HOME="+filepath.Join(below, "cache"), "GOPLSCACHE="+filepath.Join(below, "cache", "gopls"),
		"XDG_STATE_HOME="+filepath.Join(below, "state"), "XDG_DATA_HOME="+filepath.Join(below, "data"))
}

// commit makes a git repository of the project.
func (p *project) commit(ctx context.Context) error {
	return p.git(ctx, []string{"init", "-q"}, []string{"add", "-A", "-f"}, []string{"commit", "-q", "-m", p.source})
}

// reset takes back what a side has left in the project: edits that a limit has cut short, and clangd's index.
func (p *project) reset(ctx context.Context) error {
	return p.git(ctx, []string{"checkout", "-q", "--", "."}, []string{"clean", "-ffdxq"})
}

func (p *project) git(ctx context.Context, commands ...[]string) error {
	for _, args := range commands {
		own := []string{"-c", "user.name=bench", "-c", "user.email=bench@example.com", "-c", "gc.auto=0"}
		cmd := exec.CommandContext(ctx, "git", append(own, args...)...)
		cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %v: %w\n%s", args, err, out)
		}
	}
	return nil
}

// count counts the files of the language and their lines. It also has the machine read each file once, before anybody is measured.
func (p *project) count() error {
	return filepath.WalkDir(p.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !p.names.Reads(path) {
			return err
		}
		text, err := os.ReadFile(path)
		p.files++
		p.lines += bytes.Count(text, []byte("\n"))
		return err
	})
}

// walkSources takes the files to ask about from the project, those that keep accepts by their slash paths.
func (p *project) walkSources(keep func(path string) bool) error {
	return p.walk(func(path string) {
		if keep(path) {
			p.sources = append(p.sources, path)
		}
	})
}

// walk visits all regular files of the project by their slash paths.
func (p *project) walk(visit func(path string)) error {
	return filepath.WalkDir(p.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		relative, err := filepath.Rel(p.dir, path)
		if err == nil {
			visit(filepath.ToSlash(relative))
		}
		return err
	})
}
