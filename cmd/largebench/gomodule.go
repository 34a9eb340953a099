package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// fetchModule copies a Go module out of the module cache, and finds out which of its packages import which.
func fetchModule(ctx context.Context, p *project) error {
	if err := p.checkout("").CopyModule(ctx, p.source); err != nil {
		return err
	}
	return p.prepareGo(ctx)
}

// prepareGo downloads what a module imports, and finds out which of its packages import which.
func (p *project) prepareGo(ctx context.Context) error {
	list := exec.CommandContext(ctx, "go", "list", "-e", "-deps", "-test", "-json=ImportPath,Dir,Name,GoFiles,Imports,ForTest,Module", "./...")
	list.Dir, list.Env = p.dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var stderr bytes.Buffer
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
	}
	var packages []goPackage
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var found goPackage
		if err := decoder.Decode(&found); err != nil {
			return err
		}
		if found.Module.Main && found.ForTest == "" && len(found.GoFiles) > 0 && filepath.IsLocal(p.below(found.file(0))) {
			packages = append(packages, found)
		}
	}
	return p.readPackages(packages)
}

// A goPackage is what go list says of a package.
type goPackage struct {
	ImportPath, Dir, Name, ForTest string
	GoFiles, Imports               []string
	Module                         struct{ Main bool }
}

// file returns the path of one of its files.
func (of goPackage) file(i int) string { return filepath.Join(of.Dir, of.GoFiles[i]) }

// readPackages takes the sources to ask about from a list of packages, and the files to edit: of the package that the most others
// import, directly or not, and of one in the middle of those that none imports.
func (p *project) readPackages(packages []goPackage) error {
	packages = slices.DeleteFunc(packages, func(of goPackage) bool { return filepath.Ext(of.ImportPath) == ".test" })
	if len(packages) == 0 {
		return errors.New("the module has no packages")
	}
	slices.SortFunc(packages, func(a, b goPackage) int { return cmp.Compare(a.ImportPath, b.ImportPath) })
	for _, of := range packages {
		for i := range of.GoFiles {
			p.sources = append(p.sources, p.below(of.file(i)))
		}
	}
	importers := countImporters(packages)
	hub := slices.MaxFunc(packages, func(a, b goPackage) int { return cmp.Compare(importers[a.ImportPath], importers[b.ImportPath]) })
	leaves := slices.DeleteFunc(slices.Clone(packages), func(of goPackage) bool { return importers[of.ImportPath] > 0 })
	p.hub, p.leaf = p.below(hub.file(0)), p.below(leaves[len(leaves)/2].file(0))
	return nil
}

// countImporters returns how many of the packages import each of them, directly or not.
func countImporters(packages []goPackage) map[string]int {
	direct := map[string][]string{}
	for _, of := range packages {
		for _, imported := range of.Imports {
			direct[imported] = append(direct[imported], of.ImportPath)
		}
	}
	counts := map[string]int{}
	for _, of := range packages {
		seen, open := map[string]bool{}, []string{of.ImportPath}
		for len(open) > 0 {
			next := open[len(open)-1]
			open = open[:len(open)-1]
			for _, importer := range direct[next] {
				if !seen[importer] {
					seen[importer] = true
					open = append(open, importer)
				}
			}
		}
		counts[of.ImportPath] = len(seen)
	}
	return counts
}
