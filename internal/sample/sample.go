// Package sample makes projects of a realistic size in several languages whose callers are known by construction, so
// an answer can be judged without the language server that gave it.
//
// Each has a hub and parts. The hub declares Hubs functions, mix00, mix01, …, and as many types, Record00,
// Record01, …, with fields; every part calls one of the functions, another part, and makes a value of one of the
// types. Names are written as the language writes them.
package sample

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Hubs is how many functions and types the hub of a project has.
const Hubs = 12

// A Project is the sources of one language and what is true of them.
type Project struct {
	Language  string              // its ID in the table of languages
	Callers   map[string][]string // by name of a function: "path:line" of each call, sorted
	Fields    map[string][]string // by name of a type: its fields in order
	hub       string              // path of the file that declares them
	extension string
	files     map[string]string // text by slash-separated path, dirMark in it
}

// dirMark stands in files for the directory of the project, which some compilers want to be told.
const dirMark = "{{DIR}}"

func newProject(language, hub, extension string) *Project {
	return &Project{
		Language: language, hub: hub, extension: extension,
		Callers: map[string][]string{}, Fields: map[string][]string{}, files: map[string]string{},
	}
}

// Write lays the project out below a directory, which need not exist.
func (p *Project) Write(dir string) error {
	for _, path := range slices.Sorted(maps.Keys(p.files)) {
		to := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		text := strings.ReplaceAll(p.files[path], dirMark, filepath.ToSlash(dir))
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Functions returns the names of the hub's functions.
func (p *Project) Functions() []string { return slices.Sorted(maps.Keys(p.Callers)) }

// Types returns the names of the hub's types.
func (p *Project) Types() []string { return slices.Sorted(maps.Keys(p.Fields)) }

// Sources returns the paths of the source files, sorted, with slashes and below the project.
func (p *Project) Sources() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(p.files)), func(path string) bool {
		return !strings.HasSuffix(path, p.extension)
	})
}

// Declaration returns where the hub declares a function: its file, and where its name begins, both from 1.
func (p *Project) Declaration(name string) (path string, line, column int) {
	for i, text := range strings.Split(p.files[p.hub], "\n") {
		if at := strings.Index(text, name+"("); at >= 0 {
			return p.hub, i + 1, at + 1
		}
	}
	return p.hub, 0, 0
}

// Repeat returns another text of the file that has the first call of a function: one in which that call, at line,
// stands as often as times says.
func (p *Project) Repeat(name string, times int) (path, text string, line int) {
	path, number, _ := strings.Cut(p.Callers[name][0], ":")
	lines := strings.Split(p.files[path], "\n")
	line, err := strconv.Atoi(number)
	if err != nil {
		panic(err) // call has written it
	}
	call := lines[line-1]
	for range times - 1 {
		lines = slices.Insert(lines, line, call)
	}
	return path, strings.Join(lines, "\n"), line
}

// A source is a file that is being written.
type source struct {
	project *Project
	path    string
	lines   []string
}

func (p *Project) source(path string) *source { return &source{project: p, path: path} }

func (s *source) add(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

// call adds a line that calls a function of the hub.
func (s *source) call(name, format string, args ...any) {
	s.add(format, args...)
	at := fmt.Sprintf("%s:%d", s.path, len(s.lines))
	s.project.Callers[name] = append(s.project.Callers[name], at)
}

// done puts the file into the project.
func (s *source) done() {
	s.project.files[s.path] = strings.Join(s.lines, "\n") + "\n"
	for _, callers := range s.project.Callers {
		slices.Sort(callers)
	}
}

// hubOf returns the number of the hub's function and type that a part uses.
func hubOf(part int) int { return part * 7 % Hubs }

// neighbour returns the part that a part calls, so that parts depend on each other in rows of ten; -1: none.
func neighbour(part int) int {
	if part%10 == 0 {
		return -1
	}
	return part - 1
}
