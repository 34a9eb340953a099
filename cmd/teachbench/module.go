package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A subject is a public module with its version.
type subject struct {
	module string
	tuned  bool // the rules were made with its topics at hand; those of the others were kept apart
}

func subjects() []subject {
	return []subject{
		{"github.com/go-chi/chi/v5@v5.2.1", true},
		{"github.com/spf13/cobra@v1.9.1", true},
		{"github.com/BurntSushi/toml@v1.5.0", true},
		{"github.com/alecthomas/participle/v2@v2.1.4", true},
		{"go.etcd.io/raft/v3@v3.6.0", false},
		{"github.com/alecthomas/kong@v1.10.0", false},
		{"github.com/expr-lang/expr@v1.17.2", false},
		{"github.com/robfig/cron/v3@v3.0.1", false},
	}
}

// A module is a subject on the disk.
type module struct {
	subject
	dir string
	env []string
}

// fetch copies a module out of the module cache, with all that it imports in that cache.
func (b *bench) fetch(ctx context.Context, s subject) (*module, error) {
	m := &module{subject: s, dir: filepath.Join(b.temp, strings.NewReplacer("/", "_", "@", "_").Replace(s.module))}
	path := strings.Join([]string{b.bin, os.Getenv("PATH")}, string(filepath.ListSeparator))
	m.env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "PATH="+path,
		"XDG_STATE_HOME="+filepath.Join(b.temp, "state"), "XDG_DATA_HOME="+filepath.Join(b.temp, "data"))
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", s.module)
	download.Dir = b.temp // outside of any module
	out, err := download.Output()
	var got struct{ Dir, Error string }
	if json.Unmarshal(out, &got) != nil || got.Dir == "" {
		return nil, fmt.Errorf("go mod download: %w", errors.Join(err, errors.New(got.Error)))
	}
	if err := os.CopyFS(m.dir, os.DirFS(got.Dir)); err != nil {
		return nil, err
	}
	if err := filepath.WalkDir(m.dir, writable); err != nil {
		return nil, err
	}
	list := exec.CommandContext(ctx, "go", "list", "-deps", "-test", "./...")
	list.Dir, list.Env = m.dir, m.env
	if out, err := list.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, out)
	}
	return m, nil
}

// writable gives the permission to write, which the module cache does not give.
func writable(path string, entry fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case entry.IsDir():
		return os.Chmod(path, 0o700)
	}
	return os.Chmod(path, 0o600)
}

// relative returns the slash path of a file below the module; false for one outside.
func (m *module) relative(path string) (string, bool) {
	below, err := filepath.Rel(m.dir, path)
	return filepath.ToSlash(below), err == nil && filepath.IsLocal(below)
}
