package packages

import (
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"tidepool/internal/golang/syntax"
)

// A Cache keeps what is known of packages for as long as their files and those of what they import stay. The zero value
// is empty and ready. Safe for concurrent use: one piece of work at a time.
type Cache struct {
	working  sync.Mutex
	fset     *token.FileSet // of the files in the tree
	declared map[string]*declared
	facts    map[string]*kept
	imports  map[string]imported
	outside  outside
	foreign  foreign
	built    int // counts packages, to tell one that was made anew
	index    *Index
	indexed  []*Facts // that index joins
}

// A Work is the packages as one piece of work sees them: the disk is looked at once. Get one by [Cache.Begin]; not
// safe for concurrent use.
type Work struct {
	*Cache
	files   *syntax.Reading
	dirs    map[string][]string // source files, by directory
	modules modules
	roots   []module // of modules
	stamps  map[string][]stamp
	varying map[string]bool      // whether a directory varies on a system, by both
	checked map[string]*declared // of this piece of work: valid, or in the making if there is no package yet
	ended   func() bool          // nobody waits for the answer any more: what is made from then on is not kept
}

// A stamp tells whether a file has changed.
type stamp struct {
	path    string
	size    int64
	changed time.Time
}

// Begin begins a piece of work on the source files of a tree, which are read through files, one [syntax.Files] for all
// work. End must be called.
func (p *Cache) Begin(files *syntax.Reading, sources []string) *Work {
	p.working.Lock()
	if p.fset == nil {
		p.fset, p.declared, p.facts = token.NewFileSet(), make(map[string]*declared), make(map[string]*kept)
		p.imports = make(map[string]imported)
	}
	w := &Work{
		Cache: p, files: files, dirs: byDirectory(sources), modules: make(modules),
		stamps: make(map[string][]stamp), varying: make(map[string]bool), checked: make(map[string]*declared), ended: func() bool { return false },
	}
	w.modules.find(w.dirs)
	w.roots = w.modules.all()
	return w
}

// End lets others work.
func (w *Work) End() { w.working.Unlock() }

// Directories lists those that hold packages, sorted.
func (w *Work) Directories() []string {
	var all []string
	for dir := range w.dirs {
		all = append(all, dir)
	}
	slices.Sort(all)
	return all
}

// stampsOf looks at the files of a directory.
func (w *Work) stampsOf(dir string) []stamp {
	if known, ok := w.stamps[dir]; ok {
		return known
	}
	var all []stamp
	for _, path := range w.dirs[dir] {
		if info, err := os.Stat(path); err == nil {
			all = append(all, stamp{path, info.Size(), info.ModTime()})
		}
	}
	w.stamps[dir] = all
	return all
}

func same(a, b []stamp) bool {
	return slices.EqualFunc(a, b, func(a, b stamp) bool {
		return a.path == b.path && a.size == b.size && a.changed.Equal(b.changed)
	})
}

// declared is the package of a directory as others import it, without bodies.
type declared struct {
	stamps  []stamp
	made    bool           // false: in the making
	pkg     *types.Package // nil: in the making, or released
	remakes bool           // pkg is being made once more
	version int
	imports map[string]int // versions of the packages of the tree that it imports, by directory
}

// kept are the facts of a directory.
type kept struct {
	stamps  []stamp
	imports map[string]int
	facts   *Facts
}

// current reports whether what was made of files and imports is still so.
func (w *Work) current(dir string, stamps []stamp, imports map[string]int) bool {
	if !same(stamps, w.stampsOf(dir)) {
		return false
	}
	for of, version := range imports {
		if d := w.declare(of); d == nil || d.version != version {
			return false
		}
	}
	return true
}

// declare returns the package of a directory as others import it; nil for one that imports itself.
func (w *Work) declare(dir string) *declared {
	if d, ok := w.checked[dir]; ok {
		if !d.made {
			return nil
		}
		return d
	}
	making := &declared{stamps: w.stampsOf(dir), imports: make(map[string]int)}
	w.checked[dir] = making
	old := w.Cache.declared[dir]
	if old != nil && w.current(dir, old.stamps, old.imports) {
		w.checked[dir] = old
		return old
	}
	making.pkg = w.check(making, dir)
	w.built++
	making.version, making.made = w.built, true
	if !w.ended() {
		w.Cache.declared[dir] = making
	}
	return making
}

// typesOf returns the package that was declared, which is made once more if it was released: what it depends on is as it was. It is
// nil for one that imports itself.
func (w *Work) typesOf(d *declared, dir string) *types.Package {
	if d.pkg != nil || d.remakes {
		return d.pkg
	}
	d.remakes = true
	pkg := w.check(d, dir)
	d.remakes = false
	if !w.ended() {
		d.pkg = pkg
	}
	return pkg
}

// Release drops the types of the packages of the tree, and the facts of all directories but some; nil: it keeps all. What is asked
// about next finds its facts again where they are kept, and makes the types that it needs.
func (w *Work) Release(dirs []string) {
	for _, d := range w.Cache.declared {
		d.pkg = nil
	}
	w.fset = token.NewFileSet()
	if dirs != nil {
		maps.DeleteFunc(w.facts, func(dir string, _ *kept) bool { return !slices.Contains(dirs, dir) })
	}
}

// Facts returns what is known of the packages of a directory of the tree.
func (w *Work) Facts(dir string) *Facts {
	if k := w.facts[dir]; k != nil && w.current(dir, k.stamps, k.imports) {
		return k.facts
	}
	k := &kept{stamps: w.stampsOf(dir), imports: make(map[string]int)}
	k.facts = w.survey(dir, k.imports)
	w.files.Forget()
	if !w.ended() {
		w.facts[dir] = k
	}
	return k.facts
}
