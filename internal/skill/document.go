package skill

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/wording"
)

// A Document is one skill or agent.
type Document struct {
	Kind     Kind
	Scope    Scope
	Name     string
	Path     string // for people: relative to the project, or with ~
	File     string // absolute
	Text     string // the whole file
	Front    Frontmatter
	Body     string   // what is behind the frontmatter
	Problems []string // what Claude Code ignores, or why it does not load the document

	place place
	file  string // below the place
	mode  fs.FileMode
}

// A Skipped is an entry that is not read.
type Skipped struct{ Path, Why string }

// A Listing is what a directory of documents contains.
type Listing struct {
	Documents []Document // by name
	Skipped   []Skipped
}

// List returns the documents of a kind in the given scopes, those of the project first.
func (s *Store) List(kind Kind, scopes ...Scope) (Listing, error) {
	var all Listing
	for _, scope := range scopes {
		p, ok := s.place(kind, scope)
		if !ok {
			continue
		}
		found, err := p.list()
		if err != nil {
			return Listing{}, err
		}
		all.Documents = append(all.Documents, found.Documents...)
		all.Skipped = append(all.Skipped, found.Skipped...)
	}
	return all, nil
}

// list returns the documents of a place. A place that is not there has none.
func (p place) list() (Listing, error) {
	root, err := open(p.base, p.names, false)
	if errors.Is(err, fs.ErrNotExist) {
		return Listing{}, nil
	}
	if e, is := errors.AsType[*Error](err); is {
		return Listing{Skipped: []Skipped{{p.shown(""), e.What}}}, nil
	}
	if err != nil {
		return Listing{}, err
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return Listing{}, err
	}
	l := lister{place: p, root: root}
	for _, e := range entries {
		if l.full() {
			l.skip(".", "there are too many, or they are too large; the others are not read")
			break
		}
		l.entry(e)
	}
	slices.SortFunc(l.Documents, func(a, b Document) int { return strings.Compare(a.Name, b.Name) })
	return l.Listing, nil
}

// A lister reads the documents of a place.
type lister struct {
	Listing
	place place
	root  *os.Root
	bytes int
}

func (l *lister) full() bool {
	return len(l.Documents)+len(l.Skipped) >= maxEntries || l.bytes > maxAll
}

func (l *lister) skip(below, why string) {
	l.Skipped = append(l.Skipped, Skipped{wording.Stored(l.place.shown(below), 200), why})
}

// entry reads the document that an entry of the place is. Agents in further directories are not read.
func (l *lister) entry(e fs.DirEntry) {
	file := e.Name()
	switch {
	case l.place.kind == Agent && !strings.HasSuffix(file, ".md"):
		return
	case l.place.kind == Skill && e.Type().IsRegular():
		return
	case l.place.kind == Skill:
		dir, err := step(l.root, file, l.place.shown(file), false)
		if err != nil {
			l.skip(file, reason(err))
			return
		}
		defer dir.Close()
		l.document(dir, fileName, filepath.Join(file, fileName), file)
		return
	}
	l.document(l.root, file, file, strings.TrimSuffix(file, ".md"))
}

// document reads one file.
func (l *lister) document(dir *os.Root, name, below, called string) {
	text, info, err := read(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		l.skip(below, reason(err))
		return
	}
	l.bytes += len(text)
	d := Parse(l.place.kind, called, text)
	d.Scope, d.Path, d.File = l.place.scope, wording.Stored(l.place.shown(below), 200), filepath.Join(l.place.dir(), below)
	d.place, d.file, d.mode = l.place, below, info.Mode().Perm()
	l.Documents = append(l.Documents, d)
}

// Parse returns the document that a text is. called is the name of its directory or file: an agent's frontmatter names it otherwise.
func Parse(kind Kind, called, text string) Document {
	d := Document{Kind: kind, Name: called, Text: text}
	front, body, ok := Split(text)
	d.Body = body
	if !ok {
		d.Problems = append(d.Problems, "it has no frontmatter between two lines of ---")
	}
	var err error
	if d.Front, err = parse(front); err != nil {
		d.Problems = append(d.Problems, "its frontmatter is ignored: "+wording.Stored(err.Error(), 200))
	}
	if name := d.Front.Text("name"); kind == Agent && name != "" {
		d.Name = name
	}
	d.Problems = append(d.Problems, d.check()...)
	return d
}
