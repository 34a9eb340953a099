package clang

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tidepool/lsp/internal/disk"
)

// A plan is how the files of a tree are to be compiled. The zero plan is none.
type plan struct {
	includes   includes
	commands   map[string]compileCommand // of every source file
	config     string                    // what .clangd says, of which clangd knows by itself
	unreadable error                     // a compile_commands.json that cannot be read

	computed  []string // the macros that #includes name
	roots     []string
	databases []string
	manifests map[string]time.Time // that it was made from, with their times
	sources   map[string]source
	links     []disk.Link
	ways      map[string]uint64 // by path: the links that reading a source may lead through, see waysOf
}

// newPlan makes the plan of a tree, given its directory and the roots in it.
func newPlan(root string, roots []string, sources map[string]source, links []disk.Link) plan {
	roots = append([]string{root}, roots...)
	databases := databases(roots)
	db, err := readClangDatabase(databases)
	p := plan{
		unreadable: err, computed: computedNames(sources),
		roots: roots, databases: databases, manifests: map[string]time.Time{}, sources: sources, links: links,
	}
	flags := flagsFiles(root, sources)
	config := filepath.Join(root, ".clangd")
	for _, path := range slices.Concat(p.databases, flags.files, []string{config}) {
		p.manifests[path] = modified(path)
	}
	data, _ := os.ReadFile(config)
	p.config = string(data)
	p.includes = includesOf(sources, meanings(p.computed, sources, db, flags, p.config))
	guess := clangGuess{root: root, db: db, flags: flags, includes: p.includes}
	if !namesDirectories(p.config) {
		guess.dirs = p.includes.dirs(sources)
	}
	for path := range sources {
		guess.cpp = guess.cpp || isUnit(path) && isCPP(path)
		guess.c = guess.c || isUnit(path) && !isCPP(path)
	}
	p.commands = make(map[string]compileCommand, len(sources))
	for path := range sources {
		p.commands[path] = guess.command(path)
	}
	p.ways = p.waysOf(links)
	return p
}

// namesDirectories reports whether a .clangd names directories of headers. clangd puts its flags behind ours, and looks into a directory where
// it is named first, so that one of ours might hide what the project says.
func namesDirectories(config string) bool {
	return strings.Contains(config, "-I") || strings.Contains(config, "-isystem") || strings.Contains(config, "-iquote")
}

// holds reports whether the plan is still right when some files are others than those that it was made for, and links are these.
func (p plan) holds(sources map[string]source, others []string, links []disk.Link) bool {
	if p.commands == nil || !slices.Equal(p.links, links) || !slices.Equal(p.databases, databases(p.roots)) {
		return false
	}
	for path, written := range p.manifests {
		if !modified(path).Equal(written) {
			return false
		}
	}
	for _, path := range others {
		now, is := sources[path]
		then, was := p.sources[path]
		if !is || !was || !p.includesAlike(now, then) {
			return false
		}
	}
	return true
}

// includesAlike reports whether two texts of a file include the same, and say the same of what macros make others include.
func (p plan) includesAlike(now, then source) bool {
	for _, macro := range p.computed {
		if len(now.macros[macro]) != len(then.macros[macro]) || !slices.Equal(now.paths[macro], then.paths[macro]) {
			return false
		}
	}
	return slices.Equal(now.includes, then.includes) && slices.Equal(now.computed, then.computed)
}

// A clangGuess finds the compile commands of files, also of those that a project says nothing of.
type clangGuess struct {
	root     string
	db       database
	flags    flagFiles
	includes includes
	dirs     []string // to look for what is included in; none if .clangd names them
	c, cpp   bool     // there are units of this language
}

func (g clangGuess) command(path string) compileCommand {
	if known, ok := g.db.commands[path]; ok {
		return known
	}
	if !isUnit(path) {
		return g.header(path)
	}
	if known, ok := g.flags.of(path); ok {
		return known
	}
	if near, ok := g.db.of(path); ok {
		return near
	}
	return guess(g.root, path, g.dirs)
}

// header returns the command of a file that includes it, or, if none does, one for the language of the project.
func (g clangGuess) header(path string) compileCommand {
	if unit := g.includes.unit(path); unit != "" {
		return g.command(unit).with(unit, path, "-x", header(isCPP(unit)))
	}
	cpp := isCPP(path) || g.cpp && !g.c
	unit := strings.TrimSuffix(path, filepath.Ext(path)) + ".c"
	if cpp {
		unit += "pp"
	}
	return g.command(unit).with(unit, path, "-x", header(cpp))
}

func header(cpp bool) string {
	if cpp {
		return "c++-header"
	}
	return "c-header"
}
