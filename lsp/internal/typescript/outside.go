package typescript

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// judge returns what says of a source file why tsserver does not know all that it means.
func (p *probe) judge() func(path string) string {
	packages := p.packages()
	doubts, sure := map[string]string{}, map[string]bool{}
	for _, project := range p.loaded {
		needs := packages.unknownTo(project)
		for _, path := range project.Files {
			if why := needs(path); why != "" {
				doubts[path] = why
			} else {
				sure[path] = true
			}
		}
	}
	pathed := map[string]bool{}
	for _, config := range p.configs {
		pathed[config] = p.says(config, `"paths"`)
	}
	return func(path string) string {
		config := p.config(path)
		switch {
		case !p.seen[path]:
			return "is in no project that tsserver has loaded"
		case !sure[path]:
			return doubts[path]
		case p.extra[path] && pathed[config]:
			return "is left out of " + p.session.Host.Relative(config) + ", whose paths it may need"
		case !pathed[config] && says(path, aliases()...):
			return "imports by an alias, and no configuration says where that leads"
		}
		return p.linked(path)
	}
}

// linked returns that tsserver has a source file by the name of a link, too, "" if it has not: that is another file to it, and what uses
// that one need not be found.
func (p *probe) linked(path string) string {
	for _, link := range p.links {
		if through := link.Through(path); through != "" && p.seen[through] {
			return "is another file to tsserver where it is imported as " + p.session.Host.Relative(through)
		}
	}
	return ""
}

// packages are the packages of a project that have a name, by their directories. One may import another by its name
// through node_modules, which leads to what was built of it, not to its sources.
type packages struct {
	probe *probe
	names map[string]string // of each directory
	text  map[string]string // of its package.json
	known map[string]string // by directory: that of the package
}

func (p *probe) packages() packages {
	all := packages{probe: p, names: map[string]string{}, text: map[string]string{}, known: map[string]string{}}
	for _, path := range p.sources {
		dir := all.of(path)
		if _, known := all.text[dir]; known {
			continue
		}
		data, _ := os.ReadFile(filepath.Join(dir, "package.json")) // without one it has no name
		all.text[dir] = string(data)
		var manifest struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(data, &manifest) == nil && manifest.Name != "" {
			all.names[dir] = manifest.Name
		}
	}
	return all
}

// of returns the directory of the package that a file belongs to.
func (t packages) of(path string) string {
	dir := filepath.Dir(path)
	known, ok := t.known[dir]
	if !ok {
		known = t.probe.packageOf(dir)
		t.known[dir] = known
	}
	return known
}

// unknownTo returns what says of a file of a project that it imports a package of which the project does not have the
// sources.
func (t packages) unknownTo(project project) func(path string) string {
	sources, copies := map[string]bool{}, map[string]string{} // by directory of the package
	for _, path := range project.Files {
		switch {
		case strings.Contains(path, string(filepath.Separator)+"node_modules"+string(filepath.Separator)):
		case built(path):
			copies[t.of(path)] = path
		case t.probe.session.Language.Reads(path):
			sources[t.of(path)] = true
		}
	}
	lacking := map[string]string{} // name of the package by its directory
	for dir, name := range t.names {
		if !sources[dir] {
			lacking[dir] = name
		}
	}
	return func(path string) string {
		manifest := t.text[t.of(path)]
		for dir, name := range lacking {
			if !strings.Contains(manifest, `"`+name+`"`) || !imports(path, name) {
				continue
			}
			if built := copies[dir]; built != "" {
				return "knows " + name + " by " + t.probe.session.Host.Relative(built) + ", which was built from its sources"
			}
			return "imports " + name + ", which tsserver does not find (is it built and installed?)"
		}
		return ""
	}
}

// built reports whether a declaration file was built from sources that it does not lead to.
func built(path string) bool {
	base, ok := strings.CutSuffix(path, ".d.ts")
	if !ok {
		return false
	}
	has := func(suffix string) bool {
		_, err := os.Stat(base + suffix)
		return err == nil
	}
	return has(".js") && !has(".d.ts.map")
}

// imports reports whether a file has the name of a package in quotes, alone or before a slash.
func imports(path, name string) bool {
	return says(path, `"`+name+`"`, `'`+name+`'`, `"`+name+`/`, `'`+name+`/`)
}

// aliases returns how bundlers' names for the directory of the sources begin, which tsserver knows from paths alone.
func aliases() []string { return []string{`"@/`, `'@/`, `"~/`, `'~/`} }

// says reports whether a file has one of texts in it.
func says(path string, texts ...string) bool {
	data, err := os.ReadFile(path)
	return err == nil && slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(string(data), text) })
}
