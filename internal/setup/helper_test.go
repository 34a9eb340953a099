package setup

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A home is a person's home directory with a project and an agent in it.
type home struct {
	t *testing.T
	Options
}

func newHome(t *testing.T) *home {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &home{t, Options{
		Home:         dir,
		Project:      filepath.Join(dir, "project"),
		Agent:        filepath.Join(dir, "bin", "agent"),
		Path:         filepath.Join(dir, "bin"),
		Config:       []byte("{}\n"),
		MakeStateDir: makeStateDir,
	}}
	h.program(h.Agent)
	if err := os.Mkdir(h.Project, 0o755); err != nil {
		t.Fatal(err)
	}
	return h
}

func makeStateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*\n"), 0o600)
}

// program puts a program at path.
func (h *home) program(path string) {
	h.t.Helper()
	h.write(path, "#!/bin/sh\n")
	if err := os.Chmod(path, 0o755); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) write(path, content string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) settings() string { return h.projectSite().path }
func (h *home) servers() string  { return h.serverSite().path }

func (h *home) read(path string) string {
	h.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(data)
}

// put writes hooks of ours into a settings file, as somebody does by hand or an earlier Init did.
func (h *home) put(s site) {
	h.t.Helper()
	p := &Plan{rename: rename}
	h.apply(p, p.put(s))
}

// init and uninit plan and apply, and return the plan.
func (h *home) init() *Plan   { h.t.Helper(); return h.apply(Init(h.Options)) }
func (h *home) uninit() *Plan { h.t.Helper(); return h.apply(Uninit(h.Options)) }

func (h *home) apply(p *Plan, err error) *Plan {
	h.t.Helper()
	if err == nil {
		err = p.Apply()
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

// tree returns all files below the project with their content and mode, but for .tidepool.
func (h *home) tree() map[string]string {
	h.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(h.Project, func(path string, entry os.DirEntry, err error) error {
		if err != nil || path == h.Project {
			return err
		}
		if path == h.stateDir() {
			return filepath.SkipDir
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		all[path] = info.Mode().String()
		if info.Mode().IsRegular() {
			all[path] += " " + h.read(path)
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return all
}
