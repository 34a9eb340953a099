package clang

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp/internal/disk"
)

// waysOf sums up, by the path of a source, the links to directories that reading it may lead through: those that its #includes or what it
// is compiled by name, and those to a directory that it is in. A name may be that of something else to the compiler, so that more
// are taken to be used than are.
func (p plan) waysOf(links []disk.Link) map[string]uint64 {
	all := map[string]uint64{}
	if len(links) == 0 {
		return all
	}
	w := newWays(links)
	config := w.mentioned(p.config)
	for path, source := range p.sources {
		sum := config + w.into(filepath.Dir(path)) + w.in(p.commands[path].Dir)
		if len(source.computed) > 0 {
			sum += w.all
		}
		for _, spelled := range slices.Concat(source.includes, p.commands[path].Args) {
			sum += w.in(spelled)
		}
		all[path] = sum
	}
	return all
}

// turned returns the sources that may lead through other links than they did by an earlier plan.
func (p plan) turned(before plan) []string {
	var all []string
	for path := range p.sources {
		if before.ways[path] != p.ways[path] {
			all = append(all, path)
		}
	}
	return all
}

// ways are sums of links: of all, and of some by their base name, by where they lead, and by texts and directories that were asked about.
type ways struct {
	all      uint64
	byName   map[string]uint64
	byTarget map[string]uint64
	known    map[string]uint64
	knownDir map[string]uint64
}

func newWays(links []disk.Link) ways {
	w := ways{byName: map[string]uint64{}, byTarget: map[string]uint64{}, known: map[string]uint64{}, knownDir: map[string]uint64{}}
	for _, link := range links {
		sum := checksum(fmt.Sprintf("%q %q %d", link.Path, link.To, link.Made))
		w.all += sum
		w.byName[filepath.Base(link.Path)] += sum
		w.byTarget[link.To] += sum
	}
	return w
}

// in returns the sum of the links whose names stand in a text as parts of a path.
func (w ways) in(text string) uint64 {
	if sum, known := w.known[text]; known {
		return sum
	}
	sum := uint64(0)
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(`/\=,`, r) }) {
		sum += w.byName[part]
		for name, of := range w.byName {
			if strings.HasPrefix(part, "-") && strings.HasSuffix(part, name) { // as in -Ilink
				sum += of
			}
		}
	}
	w.known[text] = sum
	return sum
}

// mentioned returns the sum of the links whose names stand in a text somehow.
func (w ways) mentioned(text string) uint64 {
	sum := uint64(0)
	for name, of := range w.byName {
		if strings.Contains(text, name) {
			sum += of
		}
	}
	return sum
}

// into returns the sum of the links that lead to a directory or to one that it is in.
func (w ways) into(dir string) uint64 {
	if sum, known := w.knownDir[dir]; known {
		return sum
	}
	sum := w.byTarget[dir]
	if parent := filepath.Dir(dir); parent != dir {
		sum += w.into(parent)
	}
	w.knownDir[dir] = sum
	return sum
}
