package packages

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/build"
	"hash"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/filecache"
)

// A key says what the facts of a directory are made of: the text of its files; that of the packages that they import, through others too,
// as far as it may change; where the others lie, whose path has their version; what go.mod requires of them; the system and the program.
// Facts hold places of other packages, so that no less will do: a line more above a declaration moves it.
type key struct {
	name    string // lower-case letters and digits; "": it is not known what the facts are made of
	settled bool   // a file that changes from now on gets another stamp, and so facts another key
}

// An importable is a directory as somebody imports it: who does decides where what it imports lies in turn.
type importable struct {
	dir  string
	from string // the directory of the module whose go.mod counts
}

// A digest is what a directory adds to the keys of those that import it.
type digest struct {
	sum     [sha256.Size]byte
	leads   []importable // what it imports that may change, each once
	settled bool
	found   bool // all that it imports is on the disk
}

// A digested is a digest for as long as the files of the directory are the same, and so is where what they import lies.
type digested struct {
	digest
	files  []stamp
	layout [sha256.Size]byte
}

// keyOf returns the key of the facts of a directory of the tree.
func (w *Work) keyOf(dir string) key {
	program := w.program()
	if program == "" {
		return key{}
	}
	sum := sha256.New()
	fmt.Fprintln(sum, program)
	start := w.digestWithTests(dir)
	sum.Write(start.sum[:])
	settled := w.reach(sum, start.leads) // always: it adds to sum
	return key{hex.EncodeToString(sum.Sum(nil)[:16]), settled && start.settled}
}

// reach adds the digests of what is imported, through others too.
func (w *Work) reach(sum hash.Hash, queue []importable) (settled bool) {
	settled = true
	seen := make(map[importable]bool)
	for queue = slices.Clone(queue); len(queue) > 0; queue = queue[1:] {
		if seen[queue[0]] {
			continue
		}
		seen[queue[0]] = true
		d := w.digest(queue[0])
		sum.Write(d.sum[:])
		settled = settled && d.settled
		queue = append(queue, d.leads...)
	}
	return settled
}

// needed lists directories of the tree and those of the tree that they import, through others too. Their own tests count, which facts
// are made of as well; those of what they import do not.
func (w *Work) needed(dirs []string) []string {
	all := slices.Clone(dirs)
	seen := make(map[string]bool)
	for _, dir := range dirs {
		seen[dir] = true
	}
	for i := 0; i < len(all); i++ {
		digest := w.digestWithTests
		if i >= len(dirs) {
			digest = w.digestBare
		}
		for _, lead := range digest(all[i]).leads {
			if len(w.dirs[lead.dir]) > 0 && !seen[lead.dir] {
				seen[lead.dir] = true
				all = append(all, lead.dir)
			}
		}
	}
	return all
}

// keyOfBeyond returns the key of what packages beyond the tree declare that the packages of directories need.
func (w *Work) keyOfBeyond(dirs []string) key {
	program := w.program()
	if program == "" {
		return key{}
	}
	var lines []string
	var mutable []importable
	for _, dir := range dirs {
		from := w.modules.of(dir)
		for _, s := range w.stampsOf(dir) {
			for _, path := range w.content(s).imports {
				if w.directory(path) != "" {
					continue
				}
				at := w.resolve(path, from)
				lines = append(lines, fmt.Sprintf("%q %q %q %x", path, at, from.dir, from.sum))
				if at != "" && !w.outside.source.fixed(at) {
					mutable = append(mutable, importable{at, from.dir})
				}
			}
		}
	}
	slices.Sort(lines)
	sum := sha256.New()
	fmt.Fprintln(sum, program, slices.Compact(lines))
	settled := w.reach(sum, mutable)
	return key{hex.EncodeToString(sum.Sum(nil)[:16]), settled}
}

func (w *Work) digestWithTests(dir string) digest {
	return w.digestOf(w.digestsWithTests, importable{dir, w.modules.of(dir).dir}, w.stampsOf(dir))
}

// digestBare returns that of a directory of the tree, without its tests.
func (w *Work) digestBare(dir string) digest { return w.digest(importable{dir, w.modules.of(dir).dir}) }

// digest returns that of a directory without its tests.
func (w *Work) digest(of importable) digest {
	if known, ok := w.digests[of]; ok {
		return known
	}
	files := listing
	if len(w.dirs[of.dir]) > 0 {
		files = w.stampsOf
	}
	made := w.digestOf(w.digestsBare, of, slices.DeleteFunc(slices.Clone(files(of.dir)), func(s stamp) bool { return isTest(s.path) }))
	w.digests[of] = made
	return made
}

// digestOf makes a digest, unless an earlier piece of work has made the same one.
func (w *Work) digestOf(known map[importable]digested, of importable, files []stamp) digest {
	before := known[of]
	if before.settled && before.found && before.layout == w.layout && slices.Equal(before.files, files) {
		return before.digest
	}
	made := w.makeDigest(of, files)
	known[of] = digested{made, files, w.layout}
	return made
}

// layoutOf identifies the directories and modules of the tree.
func (w *Work) layoutOf() (all [sha256.Size]byte) {
	sum := sha256.New()
	for _, dir := range w.Directories() {
		fmt.Fprintln(sum, dir)
	}
	for _, m := range w.roots {
		vendored, _ := filecache.StampOf(filepath.Join(m.dir, "vendor", "modules.txt")) // zero: nothing is
		fmt.Fprintf(sum, "%q %x %v\n", m.dir, m.sum, vendored)
	}
	sum.Sum(all[:0])
	return all
}

func isTest(path string) bool { return strings.HasSuffix(path, "_test.go") }

func (w *Work) makeDigest(of importable, files []stamp) digest {
	made, sum := digest{settled: true, found: true}, sha256.New()
	from := w.modules.of(of.from)
	fmt.Fprintf(sum, "%q %q %x\n", of.dir, from.dir, from.sum)
	for _, s := range files {
		c := w.content(s)
		made.settled = made.settled && c.settled
		fmt.Fprintf(sum, "%q %x\n", s.path, c.text.sum)
		for _, path := range c.imports {
			w.importInto(&made, sum, path, from)
		}
	}
	sum.Sum(made.sum[:0])
	return made
}

// importInto adds what an import path means to a digest.
func (w *Work) importInto(made *digest, sum hash.Hash, path string, from module) {
	dir, in := w.directory(path), from.dir
	if dir != "" {
		in = w.modules.of(dir).dir
	} else {
		dir = w.resolve(path, from)
	}
	lead := importable{dir, in}
	made.found = made.found && (dir != "" || path == "C" || path == "unsafe")
	fmt.Fprintf(sum, "%q %q\n", path, dir)
	if dir != "" && !w.outside.source.fixed(dir) && !slices.Contains(made.leads, lead) {
		made.leads = append(made.leads, lead)
	}
}

// resolve finds a package beyond the tree that packages of a module import; "" if it is not on the disk.
func (w *Work) resolve(path string, from module) string {
	at := importable{path, from.dir}
	dir, known := w.resolved[at]
	if !known {
		dir = w.outside.source.directory(path, from, false)
		w.resolved[at] = dir
	}
	return dir
}

// program identifies what facts are made by: this program, the release of Go, what is built; "" if it cannot be told.
func (p *Cache) program() string {
	if p.by != "" {
		return p.by
	}
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	at, err := filecache.StampOf(path)
	if err != nil {
		return ""
	}
	release, _ := os.ReadFile(filepath.Join(p.outside.source.goRoot(), "VERSION")) // a path without a release has one in its name
	b := build.Default
	p.by = fmt.Sprintf("%q %v %q %q %s/%s %v %v %v", path, at, p.outside.source.root, release, b.GOOS, b.GOARCH, b.BuildTags, b.ToolTags, b.ReleaseTags)
	return p.by
}
