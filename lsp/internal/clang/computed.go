package clang

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Macros that #includes name, as in #include FT_FREETYPE_H. Most stand for one file each, which the project or a flag says. Of the
// others any file may be included, so that whatever changes has them read again.

// compute takes note of an #include of something else than a path.
func (s *source) compute(rest string) {
	name, behind := cutWord(rest)
	if !nothing(behind) {
		name = ""
	}
	s.computed = append(s.computed, name)
}

// standsFor takes note of a macro that stands for a path. behind follows its name.
func (s *source) standsFor(name, behind string) {
	if path, ok := quotedPath(behind); ok {
		if s.paths == nil {
			s.paths = map[string][]string{}
		}
		s.paths[name] = append(s.paths[name], path)
	}
}

// quotedPath returns the path that a text has between quotes or angle brackets, and no more.
func quotedPath(text string) (path string, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '"' && text[0] != '<' {
		return "", false
	}
	end := strings.IndexAny(text[1:], `">`)
	if end < 0 || !nothing(text[end+2:]) {
		return "", false
	}
	return text[1 : end+1], true
}

// nothing reports whether there is no code in what ends a line.
func nothing(rest string) bool {
	rest = strings.TrimSpace(rest)
	return rest == "" || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") && strings.Index(rest, "*/") == len(rest)-2
}

// computedNames returns the macros that #includes name, sorted.
func computedNames(sources map[string]source) []string {
	names := map[string]bool{}
	for _, source := range sources {
		for _, name := range source.computed {
			names[name] = true
		}
	}
	delete(names, "")
	return slices.Sorted(maps.Keys(names))
}

// meanings returns, by macro, the paths that it may stand for, as spelled; none if nothing defines it. One that may stand for
// something else has no entry.
func meanings(names []string, sources map[string]source, db database, flags flagFiles, config string) map[string][]string {
	meant := map[string][]string{}
	for _, name := range names {
		paths, ok := defined(name, sources)
		for _, command := range db.commands {
			ok = ok && passed(name, command.Args, &paths)
		}
		for _, args := range flags.flags {
			ok = ok && passed(name, args, &paths)
		}
		if ok && !strings.Contains(config, name) {
			slices.Sort(paths)
			meant[name] = slices.Compact(paths)
		}
	}
	return meant
}

// defined returns the paths that sources define a macro as; false if one defines it as something else.
func defined(name string, sources map[string]source) (paths []string, ok bool) {
	for _, source := range sources {
		if len(source.macros[name]) != len(source.paths[name]) {
			return nil, false
		}
		paths = append(paths, source.paths[name]...)
	}
	return paths, true
}

// passed adds the paths that flags define a macro as, and returns false if it may be something else by them.
func passed(name string, args []string, paths *[]string) bool {
	for _, arg := range args {
		if strings.HasPrefix(arg, "@") { // a file of flags, which is not read here
			return false
		}
		if !strings.Contains(arg, name) {
			continue
		}
		_, value, _ := strings.Cut(arg, name+"=")
		path, ok := quotedPath(value)
		if !ok {
			return false
		}
		*paths = append(*paths, filepath.ToSlash(path))
	}
	return true
}
