package packages

import (
	"crypto/sha256"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sync"
	"time"

	"tidepool/internal/golang/syntax"
)

// A Cache keeps what is known of packages for as long as their files and those of what they import stay. The zero value
// is empty and ready. Safe for concurrent use: one piece of work at a time.
type Cache struct {
	Store Store // of what shall outlive the cache; nil: none. Set it before the first use

	working                       sync.Mutex
	fset                          *token.FileSet // of the files in the tree
	declared                      map[string]*declared
	facts                         map[string]*kept
	imports                       map[string]imported
	contents                      map[string]content // by path
	digestsWithTests, digestsBare map[importable]digested
	later                         time.Duration // how much later it is than the clock says; 0 but for tests
	by                            string        // see program
	outside                       outside
	foreign                       foreign
	built                         int // counts packages, to tell one that was made anew
	index                         *Index
	indexed                       []*Facts // that index joins
}

// A Work is the packages as one piece of work sees them: the disk is looked at once. Get one by [Cache.Begin]; not
// safe for concurrent use.
type Work struct {
	*Cache
	files    *syntax.Reading
	dirs     map[string][]string // source files, by directory
	modules  modules
	roots    []module // of modules
	stamps   map[string][]stamp
	looked   map[string]bool // whether a file was, by path
	digests  map[importable]digest
	layout   [sha256.Size]byte
	resolved map[importable]string // directories of import paths beyond the tree
	varying  map[string]bool       // whether a directory varies on a system, by both
	checked  map[string]*declared  // of this piece of work: valid, or in the making if there is no package yet
	ended    func() bool           // nobody waits for the answer any more: what is made from then on is not kept
}

// Begin begins a piece of work on the source files of a tree, which are read through files, one [syntax.Files] for all
// work. End must be called.
func (p *Cache) Begin(files *syntax.Reading, sources []string) *Work {
	p.working.Lock()
	if p.fset == nil {
		p.fset, p.declared, p.facts = token.NewFileSet(), make(map[string]*declared), make(map[string]*kept)
		p.imports, p.contents = make(map[string]imported), make(map[string]content)
		p.digestsWithTests, p.digestsBare = make(map[importable]digested), make(map[importable]digested)
	}
	w := &Work{
		Cache: p, files: files, dirs: byDirectory(sources), modules: make(modules),
		stamps: make(map[string][]stamp), looked: make(map[string]bool), digests: make(map[importable]digest), resolved: make(map[importable]string), varying: make(map[string]bool), checked: make(map[string]*declared), ended: func() bool { return false },
	}
	w.modules.find(w.dirs)
	w.roots = w.modules.all()
	w.layout = w.layoutOf()
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

// declared is the package of a directory as others import it, without bodies.
type declared struct {
	texts   []text
	made    bool           // false: in the making
	pkg     *types.Package // nil: in the making, or released
	remakes bool           // pkg is being made once more
	version int
	imports map[string]int // versions of the packages of the tree that it imports, by directory
}

// kept are the facts of a directory.
type kept struct {
	key   string
	facts *Facts
	saved bool // the store has them, or shall not have them
}

// current reports whether what was made of files and imports is still so.
func (w *Work) current(dir string, texts []text, imports map[string]int) bool {
	if !slices.Equal(texts, w.textsOf(dir)) {
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
	making := &declared{texts: w.textsOf(dir), imports: make(map[string]int)}
	w.checked[dir] = making
	old := w.Cache.declared[dir]
	if old != nil && w.current(dir, old.texts, old.imports) {
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
	key := w.keyOf(dir)
	k := w.facts[dir]
	if k == nil || k.key != key.name || key.name == "" {
		k = &kept{key: key.name}
		if k.facts = w.load(dir, key); k.facts != nil {
			k.saved = true
		} else {
			k.facts, k.saved = w.survey(dir)
			w.files.Forget()
		}
		if w.ended() {
			return k.facts
		}
		w.facts[dir] = k
	}
	if !k.saved && key.settled {
		k.saved = true
		w.save(dir, key, k.facts)
	}
	return k.facts
}
