package lsp

import (
	"slices"
	"strings"
)

// Sources returns the source files of the tree whose path is, or ends in, the components of path, which is written with
// slashes: all of the tree for "". Sorted.
func (v *View) Sources(path string) []string {
	p := v.project
	p.walking.Lock()
	defer p.walking.Unlock()
	var found []string
	for file := range p.disk.top.all {
		below := p.relative(file)
		if !p.reads(file) || path != "" && below != path && !strings.HasSuffix(below, "/"+path) {
			continue
		}
		found = append(found, file)
	}
	slices.Sort(found)
	return found
}

// reads says whether a file is of a language of the project.
func (p *Project) reads(path string) bool {
	return slices.ContainsFunc(p.servers, func(s *server) bool { return s.reads(path) })
}
