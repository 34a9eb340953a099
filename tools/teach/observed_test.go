package teach

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/internal/golang/coverage"
	"tidepool/tools"
	"tidepool/tools/internal/toolstest"
	"tidepool/tools/lang"
)

// The cache evicts by a table of functions, so that no name in Put leads to them.
const cacheModule = `
-- go.mod --
module example.test/cache

go 1.26
-- cache.go --
package cache

// A Cache keeps entries.
type Cache struct{ entries []int }

// Put adds an entry.
func (c *Cache) Put(n int) {
	c.entries = append(c.entries, n)
	for _, each := range rules {
		each(c)
	}
}

var rules = []func(*Cache){oldest}

// oldest drops the first entry.
func oldest(c *Cache) { c.drop(0) }

func (c *Cache) drop(i int) { c.entries = append(c.entries[:i], c.entries[i+1:]...) }

// Len counts.
func (c *Cache) Len() int { return len(c.entries) }

func init() {}
-- cache_test.go --
package cache

import "testing"

func TestEvictsOldest(t *testing.T) { new(Cache).Put(1) }

func TestEvictsAll(t *testing.T) { new(Cache).Put(1) }

func TestLen(t *testing.T) { new(Cache).Len() }

func TestLenOfNothing(t *testing.T) { new(Cache).Len() }

func TestPut(t *testing.T) {}

func TestPutTwice(t *testing.T) {}
`

// measured plays what the tests of the cache run.
func measured(_ context.Context, module string, dirs []string, each func(coverage.Result), _ func(coverage.Failure)) (time.Duration, error) {
	file := filepath.Join(module, "cache.go")
	put, oldest := coverage.Function{File: file, Line: 7, Name: "(*Cache).Put"}, coverage.Function{File: file, Line: 17, Name: "oldest"}
	drop, count := coverage.Function{File: file, Line: 19, Name: "(*Cache).drop"}, coverage.Function{File: file, Line: 22, Name: "(*Cache).Len"}
	first := coverage.Function{File: file, Line: 24, Name: "init"}
	for _, r := range []coverage.Result{
		{Test: "TestEvictsOldest", Ran: []coverage.Function{first, put, oldest, drop}}, {Test: "TestEvictsAll", Ran: []coverage.Function{first, put, oldest, drop}},
		{Test: "TestLen", Ran: []coverage.Function{count}}, {Test: "TestLenOfNothing", Ran: []coverage.Function{count}},
		{Test: "TestPut", Ran: []coverage.Function{put}}, {Test: "TestPutTwice"},
	} {
		r.Package, r.Passed = dirs[0], true
		each(r)
	}
	return 0, nil
}

// teach-graph explains what tests of the topic run once they are measured, and says so until then.
func TestWhatTestsRan(t *testing.T) {
	code := toolstest.Serve(t, t.TempDir(), "go", cacheModule)
	may := make(chan struct{})
	collector := coverage.New(coverage.Options{Measure: func(
		ctx context.Context, module string, dirs []string, each func(coverage.Result), failed func(coverage.Failure),
	) (time.Duration, error) {
		select {
		case <-may:
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
		return measured(ctx, module, dirs, each, failed)
	}})
	t.Cleanup(collector.Close)
	s := newTeach(code)
	s.Memory = &lang.Memory{Coverage: collector}
	ask := func() (ran int, text string) {
		out, err := s.TeachGraph(t.Context(), tools.Call{}, Input{Topic: "how is an entry evicted", Seeds: []string{"Cache.Put"}, Budget: 5})
		if err != nil {
			t.Fatal(err)
		}
		return out.Observed.Ran, out.Text()
	}
	if ran, text := ask(); ran != 0 || !strings.Contains(text, "\nwhat tests of the topic run: not measured yet, ask again in a moment") {
		t.Errorf("before: %d in\n%s", ran, text)
	}
	may <- struct{}{}
	if _, err := collector.Ask(t.Context(), coverage.Question{Module: code.Root, First: []string{code.Root}, Until: time.Now().Add(time.Minute)}); err != nil {
		t.Fatal(err)
	}
	ran, text := ask()
	if ran != 2 || strings.Contains(text, "what tests of the topic run:") || !strings.Contains(text, "**oldest**") ||
		!strings.Contains(text, " 2 of these things are what TestEvictsOldest, TestEvictsAll run and most other tests do not.") {
		t.Errorf("after: %d in\n%s", ran, text)
	}
	cache := filepath.Join(code.Root, "cache.go")
	source, err := os.ReadFile(cache)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cache, []byte(strings.Replace(string(source), "package cache\n", "package cache\n\n// One line more.\n", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	ran, text = ask()
	if ran != 2 || !strings.Contains(text, "\nwhat tests of the topic run: measured before the latest changes, ask again in a moment") {
		t.Errorf("after a change: %d in\n%s", ran, text)
	}
}
