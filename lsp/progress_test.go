package lsp

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestManyAtOnce has many callers ask while the disk changes, under the race detector.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		var callers sync.WaitGroup
		for caller := range 8 {
			callers.Go(func() {
				for round := range 5 {
					name := fmt.Sprintf("G%d_%d", caller, round)
					path := dir + "/" + name + b.name[strings.LastIndexByte(b.name, '.'):]
					put(t, path, b.more(name, 1, 0))
					p.FilesChanged(path)
					v, err := p.View(t.Context(), ViewOptions{})
					if err != nil {
						t.Error(err)
						return
					}
					found, err := v.Symbols(t.Context(), name)
					if err != nil || len(found) != 1 {
						t.Errorf("%s: %+v, %v", name, found, err)
						return
					}
					if _, err := v.References(t.Context(), found[0].Location, true); err != nil {
						t.Error(err)
					}
					p.Status()
				}
			})
		}
		callers.Wait()
		if got, c := uses(t, p); got != 1+8*5 || c.State != Complete {
			t.Errorf("%d uses, %+v", got, c)
		}
	})
}
