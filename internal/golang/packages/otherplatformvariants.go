package packages

import (
	"go/ast"
	"go/build"
	"slices"
	"strings"

	"tidepool/internal/golang/syntax"
)

// otherPlatforms lists what other systems than the one we run on build of a directory: Linux, Windows and macOS, as far as they
// see other code than we do, there or in what it imports of the tree; and for each file that none of them builds a system
// that does.
func (w *Work) otherPlatforms(dir string) []variant {
	files := w.read(dir)
	own, seen := make(map[string]bool), make(map[string]bool)
	for _, f := range files {
		own[f.Path] = buildsFile(here(), f)
		seen[f.Path] = own[f.Path]
	}
	var all []variant
	add := func(system build.Context) {
		v := variant{otherPlatform: make(map[string]bool), system: system}
		for _, f := range files {
			if !buildsFile(system, f) {
				continue
			}
			v.add(f)
			if seen[f.Path] = true; !own[f.Path] {
				v.otherPlatform[f.Path] = true
			}
		}
		if len(v.files)+len(v.tests)+len(v.external) > 0 {
			all = append(all, v)
		}
	}
	for _, system := range mainstream() {
		if w.differs(dir, system) {
			add(system)
		}
	}
	for _, f := range files {
		if seen[f.Path] {
			continue
		}
		if system, ok := systemOf(f); ok {
			add(system)
		}
	}
	return all
}

// here returns the system that we run on.
func here() build.Context {
	system := build.Default
	system.CgoEnabled = true
	return system
}

// mainstream returns the systems that most programs are built for, but the one that we run on, as the go command builds for
// them from afar: without cgo.
func mainstream() []build.Context {
	var all []build.Context
	for _, os := range []string{"linux", "windows", "darwin"} {
		system := build.Default
		system.GOOS, system.CgoEnabled = os, false
		if os != build.Default.GOOS {
			all = append(all, system)
		}
	}
	return all
}

// differs reports whether a system sees other code of a directory than the one we run on, tests included, there or in
// what it imports of the tree.
func (w *Work) differs(dir string, system build.Context) bool {
	return w.varies(dir, system) || slices.ContainsFunc(w.read(dir), func(f *syntax.File) bool {
		return f.Test() && (buildsFile(here(), f) != buildsFile(system, f) || w.importsVarying(f, dir, system))
	})
}

// varies is differs without tests, which nothing imports.
func (w *Work) varies(dir string, system build.Context) bool {
	key := systemName(system) + dir
	if known, ok := w.varying[key]; ok || w.ended() {
		return known || !ok // as is not known any more
	}
	w.varying[key] = false // for what imports itself
	files := slices.DeleteFunc(w.read(dir), (*syntax.File).Test)
	w.varying[key] = slices.ContainsFunc(files, func(f *syntax.File) bool { return buildsFile(here(), f) != buildsFile(system, f) }) ||
		slices.ContainsFunc(files, func(f *syntax.File) bool { return w.importsVarying(f, dir, system) })
	return w.varying[key]
}

func (w *Work) importsVarying(f *syntax.File, from string, system build.Context) bool {
	parsed, _ := f.Syntax()
	return slices.ContainsFunc(parsed.Imports, func(spec *ast.ImportSpec) bool {
		dir := w.directory(strings.Trim(spec.Path.Value, "\"`"))
		return dir != "" && dir != from && w.varies(dir, system)
	})
}

// buildsFile is builds for a file that was read: most have nothing that depends on the system.
func buildsFile(system build.Context, f *syntax.File) bool {
	return !conditional(f) || builds(system, f.Path)
}

// conditional reports whether it may depend on the system whether a file is built.
func conditional(f *syntax.File) bool {
	name := f.Path[strings.LastIndexAny(f.Path, `/\`)+1:]
	if strings.Contains(strings.TrimSuffix(name, "_test.go"), "_") {
		return true
	}
	parsed, _ := f.Syntax()
	for _, group := range parsed.Comments {
		if group.Pos() > parsed.Package {
			break
		}
		if slices.ContainsFunc(group.List, func(c *ast.Comment) bool {
			return strings.HasPrefix(c.Text, "//go:build") || strings.HasPrefix(c.Text, "// +build") || strings.HasPrefix(c.Text, "//+build")
		}) {
			return true
		}
	}
	return slices.ContainsFunc(parsed.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` })
}
