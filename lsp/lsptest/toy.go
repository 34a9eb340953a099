package lsptest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// A project is the toy files below directories, as the server knows them.
type project struct {
	files map[string]string // text by path, of the disk
	open  map[string]string // text by path, of documents that the client holds open
}

// A word is an occurrence of a name.
type word struct {
	verb string // def, use or bad
	name string
	at   protocol.Location
}

func newProject() *project {
	return &project{files: map[string]string{}, open: map[string]string{}}
}

// load reads everything below a directory from the disk.
func (p *project) load(root string) {
	filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".toy" {
			p.read(path)
		}
		return nil
	})
}

// leave forgets everything below a directory.
func (p *project) leave(root string) {
	for path := range p.files {
		if strings.HasPrefix(path, root+string(filepath.Separator)) {
			delete(p.files, path)
		}
	}
}

func (p *project) read(path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		delete(p.files, path)
		return
	}
	p.files[path] = string(data)
}

// paths lists the known files in order.
func (p *project) paths() []string {
	var paths []string
	for path := range p.files {
		paths = append(paths, path)
	}
	for path := range p.open {
		if _, ok := p.files[path]; !ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// words lists the words of one file.
func (p *project) words(path string) []word {
	text, ok := p.open[path]
	if !ok {
		text = p.files[path]
	}
	var words []word
	number := uint32(0)
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		verb, name, found := strings.Cut(trimmed, " ")
		if _, behind, ok := strings.Cut(trimmed, "*/ "); ok { // a comment may come first
			verb, name, found = strings.Cut(behind, " ")
		}
		if found && slices.Contains([]string{"def", "use", "bad"}, verb) {
			start := units(line[:strings.LastIndex(line, name)])
			words = append(words, word{verb, name, protocol.Location{URI: uri.File(path), Range: protocol.Range{
				Start: protocol.Position{Line: number, Character: start},
				End:   protocol.Position{Line: number, Character: start + units(name)},
			}}})
		}
		number++
	}
	return words
}

// find lists the words of all files that match.
func (p *project) find(match func(word) bool) []word {
	var found []word
	for _, path := range p.paths() {
		for _, w := range p.words(path) {
			if match(w) {
				found = append(found, w)
			}
		}
	}
	return found
}

// at returns the name at a position, "" if there is none.
func (p *project) at(place protocol.TextDocumentPositionParams) string {
	for _, w := range p.words(place.TextDocument.URI.FsPath()) {
		r, at := w.at.Range, place.Position
		if r.Start.Line == at.Line && r.Start.Character <= at.Character && at.Character <= r.End.Character {
			return w.name
		}
	}
	return ""
}

func units(text string) uint32 { return uint32(len(utf16.Encode([]rune(text)))) }
