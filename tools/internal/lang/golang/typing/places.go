package typing

import (
	"cmp"
	"slices"
	"sync"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// A place is what is known of a name in a file.
type place struct {
	use     syntax.Use
	used    bool           // a name stands there
	operand *syntax.Typing // of the x in x.M, where M stands there; nil: the text does not tell
	ofOwn   bool           // M is a field of a struct that the declaration around it writes out
	defined query.Spot     // where the method is declared that the place names
	tree    int64          // the revision of the tree of which that is true; 0: it is not known
}

// maxPlaces bounds the places that are kept, each of 176 bytes, and about as much again for its names and its typing.
const maxPlaces = 32_768

// keptPlaces are what was found out about places, of each file as long as it has the same revision: the trees of many files, each of
// megabytes, are not kept, and who asks about a name again asks about the same places. Methods of a name share theirs: each of 380 methods
// called Code may be called by the same 1,900 places. The zero value has nothing.
type keptPlaces struct {
	mu   sync.Mutex
	size int
	of   map[string]*placesOf // by path
}

// placesOf are those of one file.
type placesOf struct {
	revision int64
	scope    *syntax.Scope
	all      []placeAt // by position: most files have a few, of which a map would take twice the memory
}

type placeAt struct {
	at syntax.Position
	place
}

// find returns where the place at a position is, or would be.
func (of *placesOf) find(at syntax.Position) (i int, ok bool) {
	return slices.BinarySearchFunc(of.all, at, func(p placeAt, at syntax.Position) int {
		return cmp.Or(cmp.Compare(p.at.Line, at.Line), cmp.Compare(p.at.Column, at.Column))
	})
}

// get returns what is known of a place, nil if nothing is, and the scope of its file. Callers hold mu.
func (k *keptPlaces) get(path string, revision int64, at syntax.Position) (*placeAt, *syntax.Scope) {
	of := k.of[path]
	if of == nil || of.revision != revision {
		return nil, nil
	}
	i, ok := of.find(at)
	if !ok {
		return nil, nil
	}
	return &of.all[i], of.scope
}

func (k *keptPlaces) lookup(path string, revision int64, at syntax.Position) (p place, in *syntax.Scope, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	known, in := k.get(path, revision, at)
	if known == nil {
		return place{}, nil, false
	}
	return known.place, in, true
}

func (k *keptPlaces) keep(in *syntax.Scope, revision int64, at syntax.Position, p place) {
	k.mu.Lock()
	defer k.mu.Unlock()
	of := k.of[in.Path]
	if of == nil || of.revision != revision {
		k.drop(in.Path)
		of = &placesOf{revision: revision, scope: in}
		put(&k.of, in.Path, of)
	}
	i, again := of.find(at)
	if again {
		return
	}
	of.all = slices.Insert(of.all, i, placeAt{at, p})
	k.size++
	k.bound(in.Path)
}

// bound drops the places of any files, those of one file last, until there are no more than maxPlaces. Callers hold mu.
func (k *keptPlaces) bound(last string) {
	for path := range k.of {
		if k.size <= maxPlaces {
			return
		}
		if path != last {
			k.drop(path)
		}
	}
	if k.size > maxPlaces {
		k.drop(last)
	}
}

// drop forgets the places of a file. Callers hold mu.
func (k *keptPlaces) drop(path string) {
	if of := k.of[path]; of != nil {
		k.size -= len(of.all)
		delete(k.of, path)
	}
}

// define takes note of what the method is that a place names, if the place is kept.
func (k *keptPlaces) define(path string, revision int64, at syntax.Position, defined query.Spot, tree int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if known, _ := k.get(path, revision, at); known != nil {
		known.defined, known.tree = defined, tree
	}
}

// Use says how the name at a place is used, and in which scope; ok is false if no name stands there. The error is
// that of reading the file.
func (r *Reader) Use(at lsp.Location) (use syntax.Use, in *syntax.Scope, ok bool, err error) {
	p, in, err := r.place(at)
	return p.use, in, p.used, err
}

// place returns what the text tells of a place, which is kept if somebody vouches for the file, and the scope of the file.
func (r *Reader) place(at lsp.Location) (place, *syntax.Scope, error) {
	position := positionOf(at)
	if revision, vouched := r.revisionOf(at.Path); vouched {
		if p, scope, ok := r.Memory.places.lookup(at.Path, revision, position); ok {
			return p, scope, nil
		}
	}
	f, revision, err := r.Files.OpenRevision(at.Path)
	if err != nil {
		return place{}, nil, err
	}
	p := placeIn(f, position)
	if revision != 0 {
		r.Memory.places.keep(f.Scope, revision, position, p)
	}
	return p, f.Scope, nil
}

func placeIn(f *syntax.File, at syntax.Position) (p place) {
	p.use, p.used = f.Use(at)
	if p.operand, _ = f.Operand(at); p.operand == nil {
		p.ofOwn = f.OwnField(at) // a struct without a name has no typing
	}
	return p
}

func (r *Reader) revisionOf(path string) (revision int64, vouched bool) {
	if r.Revision == nil {
		return 0, false
	}
	return r.Revision(path)
}

func positionOf(at lsp.Location) syntax.Position {
	return syntax.Position{Line: at.Range.Start.Line, Column: at.Range.Start.Column}
}

// Definition returns where the method is declared that a place of a tree names, if [Reader.KeepDefinition] was told so of the same
// revision, and somebody vouches for the files.
func (r *Reader) Definition(tree int64, at lsp.Location) (query.Spot, bool) {
	revision, vouched := r.revisionOf(at.Path)
	if !vouched {
		return query.Spot{}, false
	}
	p, _, ok := r.Memory.places.lookup(at.Path, revision, positionOf(at))
	return p.defined, ok && p.tree == tree && tree != 0
}

// KeepDefinition keeps where the method is declared that a place of a tree in a revision names.
func (r *Reader) KeepDefinition(tree int64, at lsp.Location, definition query.Spot) {
	if revision, vouched := r.revisionOf(at.Path); vouched {
		r.Memory.places.define(at.Path, revision, positionOf(at), definition, tree)
	}
}
