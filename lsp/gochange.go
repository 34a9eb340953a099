package lsp

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
)

// goReload is a name of no file. A change of it makes gopls list all packages again: goplsSettings has it among the
// files that define the workspace.
const goReload = "tidepool.packages"

// goOpens is how many new packages are made known by opening a file of each; with more, all are listed again.
const goOpens = 8

// goChanged tells gopls of changes on the disk. Measured with v0.23: of a file that it hears of in a directory in which
// it knows no package it makes nothing, until somebody opens the file or all packages are listed again.
func goChanged(s *session, changes []change) error {
	if err := s.refresh(changes); err != nil {
		return err
	}
	found := goNewPackages(s.server, changes)
	if len(found) > goOpens || slices.ContainsFunc(changes, goModule) {
		changes = append(changes, change{filepath.Join(s.root, goReload), protocol.FileChangeTypeChanged})
		found = nil
	}
	s.progress.notify(true)
	if err := s.tell(protocol.MethodWorkspaceDidChangeWatchedFiles, watched(changes)); err != nil {
		return err
	}
	for _, path := range found {
		if err := s.open(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// goModule says whether a module has come or gone, which leaves gopls with packages of the one that they belonged to.
func goModule(c change) bool {
	return c.kind != protocol.FileChangeTypeChanged && filepath.Base(c.path) == "go.mod"
}

// goNewPackages returns one file of each directory that has become a package: all files of it that gopls loads are new,
// or were not loaded before. Callers hold the server's mu.
func goNewPackages(s *server, changes []change) []string {
	fresh := map[string]bool{} // files, by path
	for _, c := range changes {
		if c.kind != protocol.FileChangeTypeDeleted && s.reads(c.path) && (c.kind == protocol.FileChangeTypeCreated || s.scope.entered[c.path]) {
			fresh[c.path] = true
		}
	}
	maps.Copy(fresh, s.scope.entered)
	clear(s.scope.entered)
	packages := map[string]string{} // a file, by directory
	for _, path := range slices.Sorted(maps.Keys(fresh)) {
		if s.scope.why[path] == "" {
			packages[filepath.Dir(path)] = path
		}
	}
	maps.DeleteFunc(packages, func(dir, _ string) bool { return goKnown(s, dir, fresh) })
	return slices.Sorted(maps.Values(packages))
}

// goKnown says whether a directory has a file that gopls has loaded before.
func goKnown(s *server, dir string, fresh map[string]bool) bool {
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		path := filepath.Join(dir, entry.Name())
		return strings.HasSuffix(path, ".go") && s.hears(path) && !fresh[path] && s.scope.why[path] == ""
	})
}
