package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An entry is a file or a symbolic link of a tree.
type entry struct {
	name string // slash-separated, below the root of the tree
	mode fs.FileMode
	link string // the target of a symbolic link; "" for a file
	data []byte
}

// archiveName returns the name of a release for a target.
func (s *source) archiveName(what string, t target) string {
	return fmt.Sprintf("%s-%s-%s-%s", what, s.version, t.os, t.arch)
}

// programs returns both programs in bin, and the link by which agent is called as a shell.
func programs(bin string) ([]entry, error) {
	entries := []entry{{name: "bin/agent-shell", mode: 0o777, link: "agent"}}
	for _, name := range []string{"agent", "controlserver"} {
		data, err := os.ReadFile(filepath.Join(bin, name))
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{name: "bin/" + name, mode: 0o755, data: data})
	}
	return entries, nil
}

// tree returns what a tarball has: the tree that install.sh copies below a prefix, install.sh, and what a person reads first.
func (s *source) tree(bin string, pages []entry) ([]entry, error) {
	entries, err := programs(bin)
	if err != nil {
		return nil, err
	}
	entries = append(entries, pages...)
	for _, file := range []struct {
		path, name string
		mode       fs.FileMode
	}{
		{"scripts/install.sh", "install.sh", 0o755},
		{"scripts/install.sh", "lib/tidepool/install.sh", 0o755}, // for --uninstall, when the tarball is gone
		{"LICENSE", "LICENSE", 0o644}, {"README.md", "README.md", 0o644}, {"CHANGELOG.md", "CHANGELOG.md", 0o644},
		{"docs/install.md", "docs/install.md", 0o644},
	} {
		data, err := os.ReadFile(filepath.Join(s.root, file.path))
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{name: file.name, mode: file.mode, data: data})
	}
	return entries, nil
}

// pluginTree returns the plugin with the programs in it.
func (s *source) pluginTree(bin string) ([]entry, error) {
	entries, err := programs(bin)
	if err != nil {
		return nil, err
	}
	root := filepath.Join(s.root, "plugin")
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case e.IsDir() && name == "bin": // what make plugin has built
			return filepath.SkipDir
		case e.IsDir() || name == ".gitignore":
			return nil
		case !e.Type().IsRegular():
			return fmt.Errorf("%s is no file", path)
		}
		data, err := os.ReadFile(path)
		entries = append(entries, entry{name: filepath.ToSlash(name), mode: 0o644, data: data})
		return err
	})
	return entries, err
}

// sorted returns the entries with the directories above them, by name.
func sorted(entries []entry) []entry {
	all := slices.Clone(entries)
	seen := map[string]bool{}
	for _, e := range entries {
		for dir := e.name; strings.Contains(dir, "/"); {
			dir = dir[:strings.LastIndex(dir, "/")]
			if !seen[dir] {
				seen[dir] = true
				all = append(all, entry{name: dir, mode: fs.ModeDir | 0o755})
			}
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return all
}

// stageTree lays out in dir the tree of this machine, from the programs in bin/: what make install has install.sh copy.
func stageTree(ctx context.Context, src *source, dir string) error {
	bin := filepath.Join(src.root, "bin")
	pages, err := src.printedBy(ctx, filepath.Join(bin, "controlserver"))
	if err != nil {
		return err
	}
	entries, err := src.tree(bin, pages)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return lay(dir, entries)
}

// lay writes the entries below dir.
func lay(dir string, entries []entry) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, e := range sorted(entries) {
		path := filepath.Join(dir, filepath.FromSlash(e.name))
		var err error
		switch {
		case e.mode.IsDir():
			err = os.MkdirAll(path, 0o755)
		case e.link != "":
			err = os.Symlink(e.link, path)
		default:
			err = os.WriteFile(path, e.data, e.mode)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
