package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestNothingIsMissed writes and asks at the same time: an answer holds everything that was on the disk before its View
// was asked for, whoever else asks meanwhile.
func TestNothingIsMissed(t *testing.T) {
	t.Parallel()
	const writers, askers, rounds = 3, 4, 20
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		uses(t, p)
		var written [writers]atomic.Int64 // uses that are on the disk
		var writing, asking sync.WaitGroup
		done := make(chan struct{})
		for i := range writers {
			writing.Go(func() {
				path := filepath.Join(dir, fmt.Sprintf("w%d%s", i, filepath.Ext(b.name)))
				for round := 1; round <= rounds; round++ {
					if err := replaceWith(b, path, round); err != nil {
						t.Error(err)
						return
					}
					written[i].Store(int64(round))
					if round%3 == i {
						p.FilesChanged(dir)
					}
				}
			})
		}
		for range askers {
			asking.Go(func() {
				for over := false; !over; {
					select {
					case <-done:
						over = true
					default:
					}
					var before [writers]int64
					for i := range before {
						before[i] = written[i].Load()
					}
					found, c, err := usesByWriter(t, p)
					if err != nil {
						t.Error(err)
						return
					}
					for i := range before {
						if found[i] < before[i] {
							t.Errorf("%d uses by writer %d, of %d; %s %s", found[i], i, before[i], c.State, c.Reason)
						}
					}
				}
			})
		}
		writing.Wait()
		close(done)
		asking.Wait()
	})
}

// replaceWith puts a file with that many uses in the place of the last one, in one step. A server may read it at any time
// after it has heard of it, so it keeps its name.
func replaceWith(b bench, path string, uses int) error {
	ext := filepath.Ext(path)
	draft := path + ".draft"
	if err := os.WriteFile(draft, []byte(b.more(strings.TrimSuffix(filepath.Base(path), ext), uses, 0)), 0o644); err != nil {
		return err
	}
	return os.Rename(draft, path)
}

// usesByWriter asks in a new View.
func usesByWriter(t *testing.T, p *Project) (found [3]int64, c Completeness, err error) {
	v, err := p.View(t.Context(), ViewOptions{})
	if err != nil {
		return found, c, err
	}
	symbols, err := v.Symbols(t.Context(), "Alpha")
	if err != nil || len(symbols) != 1 {
		return found, c, fmt.Errorf("%d symbols, %w", len(symbols), err)
	}
	refs, err := v.References(t.Context(), symbols[0].Location, false)
	for _, ref := range refs {
		for i := range found {
			if strings.HasPrefix(filepath.Base(ref.Path), fmt.Sprintf("w%d", i)) {
				found[i]++
			}
		}
	}
	return found, v.Completeness(), err
}
