package coverage

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"path/filepath"
	"slices"
)

// summed is what matters of a package to those who import it.
type summed struct {
	content digest
	imports []string // directories
}

// key stands for all that the tests of a directory depend on. It is the same for the same files, wherever the module lies.
func (t *tree) key(dir string) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%x\n", t.path, t.rules)
	own := t.packages[dir]
	t.write(sum, own.tests)
	t.write(sum, t.below(dir))
	reached := []string{dir}
	add := func(all []string) {
		for _, to := range all {
			if !slices.Contains(reached, to) {
				reached = append(reached, to)
			}
		}
	}
	add(t.imported(own.tests))
	for i := 0; i < len(reached); i++ {
		add(t.sum(reached[i]).imports)
	}
	slices.Sort(reached)
	for _, to := range reached {
		fmt.Fprintf(sum, "%s\n%x\n", relative(t.dir, to), t.sum(to).content)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// sum sums up a package, once.
func (t *tree) sum(dir string) *summed {
	of := t.packages[dir]
	if of.summed != nil {
		return of.summed
	}
	sum := sha256.New()
	t.write(sum, of.code)
	if slices.ContainsFunc(of.code, func(f found) bool { return slices.Contains(f.imports, "embed") }) {
		t.write(sum, t.below(dir))
	}
	of.summed = &summed{imports: t.imported(of.code)}
	sum.Sum(of.summed.content[:0])
	return of.summed
}

// imported lists the packages on the disk that files import.
func (t *tree) imported(files []found) []string {
	var dirs []string
	for _, f := range files {
		for _, path := range f.imports {
			if dir := directory(t.sources, path); t.packages[dir] != nil && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

func (t *tree) write(sum hash.Hash, files []found) {
	for _, f := range files {
		fmt.Fprintf(sum, "%s\n%x\n", relative(t.dir, filepath.Clean(f.path)), f.content)
	}
}
