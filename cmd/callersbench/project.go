package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A project is a public one of a version.
type project struct {
	language string // its name for people
	source   string // the module, package or archive, with its version
	fetch    func(context.Context, *checkout) error
	truth    func(context.Context, *checkout) ([]function, error)
}

// projects lists what is asked about, at least two of a language.
func projects() []project {
	return []project{
		{"Go", "mvdan.cc/sh/v3@v3.14.1", fetchModule, goTruth},
		{"Go", "github.com/yuin/goldmark@v1.4.13", fetchModule, goTruth},
		{"TypeScript", "immer@10.1.1", fetchPackage, typescriptTruth},
		{"TypeScript", "rxjs@7.8.1", fetchPackage, typescriptTruth},
	}
}

// A checkout is a project on the disk.
type checkout struct {
	project
	dir string
	bin string // the directory of the programs
}

// env returns the environment of programs in the project, with their state beside it.
func (c *checkout) env() []string {
	path := []string{c.bin, filepath.Join(c.bin, "servers", "node_modules", ".bin"), os.Getenv("PATH")}
	beside := filepath.Dir(c.dir)
	return append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "PATH="+strings.Join(path, string(filepath.ListSeparator)),
		"XDG_STATE_HOME="+filepath.Join(beside, "state"), "XDG_DATA_HOME="+filepath.Join(beside, "data"))
}

// below returns the slash path of a file below the project; false for one outside.
func (c *checkout) below(path string) (string, bool) {
	relative, err := filepath.Rel(c.dir, path)
	return filepath.ToSlash(relative), err == nil && filepath.IsLocal(relative)
}

// copyInto copies a directory into the project, with permission to write, which the module cache does not give.
func (c *checkout) copyInto(from string) error {
	return errors.Join(os.CopyFS(c.dir, os.DirFS(from)), filepath.WalkDir(c.dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.Chmod(path, 0o700)
		case entry.Type().IsRegular():
			return os.Chmod(path, 0o600)
		}
		return nil
	}))
}
