package clang

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// includes is which files of a project include which. An #include names whatever file ends in what is spelled: it may be another one to
// the compiler, so that more is taken to be included than is. One that names no file so may lead through a link to a directory: it
// names all files of its base name.
type includes struct {
	named map[string][]string // files by base name
	by    map[string][]string // who includes a file; "" for computed includes that may be of any file
	of    map[string][]string // what a file includes
	plain map[string][]string // as by, but through no link
}

// includesOf returns those of these files. meant has the macros that #includes name, see meanings.
func includesOf(files map[string]source, meant map[string][]string) includes {
	g := includes{named: map[string][]string{}, by: map[string][]string{}, of: map[string][]string{}, plain: map[string][]string{}}
	for file := range files {
		g.named[filepath.Base(file)] = append(g.named[filepath.Base(file)], file)
	}
	for file, source := range files {
		spelled := slices.Clone(source.includes)
		for _, macro := range source.computed {
			paths, known := meant[macro]
			if !known && !slices.Contains(g.by[""], file) {
				g.by[""] = append(g.by[""], file)
			}
			spelled = append(spelled, paths...)
		}
		for _, spelled := range spelled {
			targets := g.targets(spelled)
			for _, target := range targets {
				g.plain[target] = append(g.plain[target], file)
			}
			if len(targets) == 0 {
				targets = g.named[path.Base(tail(spelled))]
			}
			for _, target := range targets {
				g.by[target] = append(g.by[target], file)
				g.of[file] = append(g.of[file], target)
			}
		}
	}
	for _, users := range g.by {
		slices.Sort(users)
	}
	return g
}

// targets returns the files that an #include may mean.
func (g includes) targets(spelled string) []string {
	tail := tail(spelled)
	var found []string
	for _, file := range g.named[path.Base(tail)] {
		if strings.HasSuffix(filepath.ToSlash(file), "/"+tail) {
			found = append(found, file)
		}
	}
	return found
}

// tail returns a spelled path without what leads up.
func tail(spelled string) string {
	tail := path.Clean(filepath.ToSlash(spelled))
	for strings.HasPrefix(tail, "../") {
		tail = tail[len("../"):]
	}
	return strings.TrimPrefix(tail, "/")
}

// users returns the files that include one of these, directly or not, and these.
func (g includes) users(of []string) map[string]bool { return reach(g.by, of, g.by[""]) }

// closure returns all that a file includes, and the file.
func (g includes) closure(file string) map[string]bool { return reach(g.of, []string{file}, nil) }

func reach(next map[string][]string, from, also []string) map[string]bool {
	seen := map[string]bool{}
	todo := slices.Clone(from)
	if len(from) > 0 {
		todo = append(todo, also...)
	}
	for len(todo) > 0 {
		file := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[file] {
			seen[file] = true
			todo = append(todo, next[file]...)
		}
	}
	return seen
}

// unit returns a file that a compiler is called for and that includes this one, "" if there is none. Of several it is the
// same at every call, and one through no link if there is any.
func (g includes) unit(header string) string {
	return cmp.Or(firstUnit(reach(g.plain, []string{header}, nil)), firstUnit(reach(g.by, []string{header}, nil)))
}

func firstUnit(files map[string]bool) string {
	first := ""
	for file := range files {
		if isUnit(file) && (first == "" || file < first) {
			first = file
		}
	}
	return first
}

// dirs returns the directories that the #includes of these files must be looked for in to be found in the project,
// sorted.
func (g includes) dirs(files map[string]source) []string {
	found := map[string]bool{}
	for _, source := range files {
		for _, spelled := range source.includes {
			tail := tail(spelled)
			for _, target := range g.targets(spelled) {
				found[strings.TrimSuffix(filepath.ToSlash(target), "/"+tail)] = true
			}
		}
	}
	dirs := make([]string, 0, len(found))
	for dir := range found {
		dirs = append(dirs, filepath.FromSlash(dir))
	}
	slices.Sort(dirs)
	return dirs
}
