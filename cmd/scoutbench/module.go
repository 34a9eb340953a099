package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A module is a project to ask about, in a directory of its own.
type module struct {
	dir string
	env []string
}

// fetch lays a Go module out in a directory, through the module proxy, with what its tests import in the module cache.
func (b *bench) fetch(ctx context.Context, name string) (*module, error) {
	m := &module{dir: filepath.Join(b.temp, strings.NewReplacer("/", "_", "@", "_").Replace(name))}
	m.env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "XDG_CACHE_HOME="+filepath.Join(b.temp, "cache"), "PATH="+b.path())
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", name)
	download.Dir = b.temp // outside of any module
	out, err := download.Output()
	var got struct{ Dir, Error string }
	if json.Unmarshal(out, &got) != nil || got.Dir == "" {
		return nil, fmt.Errorf("go mod download %s: %w", name, errors.Join(err, errors.New(got.Error)))
	}
	if err := os.CopyFS(m.dir, os.DirFS(got.Dir)); err != nil {
		return nil, fmt.Errorf("copying %s: %w", name, err)
	}
	return m, m.prepare(ctx)
}

// prepare makes the copy writable, as the module cache is not, and loads what it imports.
func (m *module) prepare(ctx context.Context) error {
	writable := func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return os.Chmod(path, 0o600)
	}
	if err := filepath.WalkDir(m.dir, writable); err != nil {
		return err
	}
	list := exec.CommandContext(ctx, "go", "list", "-deps", "-test", "./...")
	list.Dir, list.Env = m.dir, m.env
	if out, err := list.CombinedOutput(); err != nil {
		return fmt.Errorf("go list in %s: %w\n%s", filepath.Base(m.dir), err, out)
	}
	return nil
}

// path is PATH with what make has installed in front.
func (b *bench) path() string {
	return strings.Join([]string{b.bin, filepath.Join(b.bin, "servers", "node_modules", ".bin"), os.Getenv("PATH")}, string(filepath.ListSeparator))
}
