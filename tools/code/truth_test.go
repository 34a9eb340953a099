package code

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tidepool/lsp"
	"tidepool/lsp/lsptest"
	"tidepool/tools"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/toolstest"
	"tidepool/tools/lang"
)

// A world is a project of one language on the disk, with questions about it and their true answers.
type world struct {
	language  string // its ID
	dir       string
	caches    string // of the language server; fresh for a cold start
	questions []question
	partly    string       // reason for which an answer may be partial in the end
	change    func() error // makes the truth of the questions another one: next; nil: it cannot be changed
}

// A question is one call of a tool. Its answer, and the truth, is a text that holds what matters of it.
type question struct {
	what        string
	ask         func(context.Context, *Toolset) (string, lsp.Completeness, error)
	truth, next string // before and after the change; "": what the last answer says
}

// An answer is what one call gave, and when.
type answer struct {
	question     *question
	got          string
	claim        lsp.Completeness
	err          error
	began, ended time.Time
}

// askersAtOnce ask until they have had at least askedAtLeast answers together, and each a complete one.
const (
	askersAtOnce = 16
	askedAtLeast = 100
	// truthBudget is how long a call waits for the server; short, so that many are answered while it loads.
	truthBudget = 40 * time.Millisecond
	truthLimit  = 10 * time.Minute // a machine with much else to do needs three
)

// A trial is one life of a world's server under questions, from its first millisecond on.
type trial struct {
	world   *world
	code    *Toolset
	disturb func() error // done once, while the server loads
	from    time.Time    // when disturb began
	until   time.Time    // when it had ended

	mu      sync.Mutex
	answers []answer
	begun   atomic.Int64
}

func (w *world) open(t *testing.T) *Toolset {
	t.Helper()
	for _, language := range lsp.Languages() {
		if language.ID != w.language {
			continue
		}
		language.Command[0] = lsptest.Program(t, language.Command[0])
		project, err := lsp.Open(lsp.Options{
			Root: w.dir, Languages: []lsp.Language{language}, ReadyBudget: truthBudget,
			Env: coldEnvironment(t, w.caches),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { toolstest.Close(t, project) })
		return &Toolset{Project: project, Root: w.dir, Memory: new(lang.Memory)}
	}
	t.Fatalf("no language %s", w.language)
	return nil
}

// coldEnvironment has language servers keep what they remember in a directory; the compiler keeps what it has. GOGC=400 saves
// a cold gopls about a fifth of its CPU: `gopls check` of go-cmp took 16.6 and 13.4 s without it, 12.0 and 11.6 s with it.
func coldEnvironment(t *testing.T, caches string) []string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(), "GOWORK=off", "GOGC=400", "GOCACHE="+strings.TrimSpace(string(out)), "XDG_CACHE_HOME="+caches)
}

// run opens the world and asks until the truth is known.
func (w *world) run(t *testing.T, disturb func(*Toolset) error) *trial {
	t.Helper()
	r := &trial{world: w, code: w.open(t)}
	if disturb != nil {
		r.disturb = func() error { return disturb(r.code) }
	}
	ctx, cancel := context.WithTimeout(t.Context(), truthLimit)
	defer cancel()
	var asking sync.WaitGroup
	for asker := range askersAtOnce {
		asking.Go(func() { r.askOn(ctx, t, asker) })
	}
	asking.Wait()
	if ctx.Err() != nil {
		t.Fatalf("no complete answer after %v: %+v", truthLimit, r.code.Project.Status())
	}
	return r
}

// askOn asks one question after the other.
func (r *trial) askOn(ctx context.Context, t *testing.T, asker int) {
	for n := 0; ctx.Err() == nil; n++ {
		number := r.begun.Add(1)
		if number == askedAtLeast/4 && r.disturb != nil {
			r.from = time.Now()
			if err := r.disturb(); err != nil {
				t.Error(err)
			}
			r.until = time.Now()
		}
		a := r.ask(ctx, &r.world.questions[(asker*5+n)%len(r.world.questions)])
		if number >= askedAtLeast && a.claim.State == lsp.Complete {
			return
		}
	}
}

func (r *trial) ask(ctx context.Context, q *question) answer {
	a := answer{question: q, began: time.Now()}
	a.got, a.claim, a.err = q.ask(ctx, r.code)
	a.ended = time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers = append(r.answers, a)
	return a
}

// judge compares every claim with the truth. changed says that the disturbance was the change of the truth.
func (r *trial) judge(t *testing.T, changed bool) {
	t.Helper()
	counts, wrong := map[lsp.State]int{}, 0
	last := r.final(t, changed)
	for _, a := range r.answers {
		if a.err != nil {
			counts["error"]++
			continue
		}
		counts[a.claim.State]++
		truths := r.truths(a, changed, last[a.question.what])
		right := slices.Contains(truths, a.got)
		if !right {
			wrong++
		}
		if !right && a.claim.State == lsp.Complete {
			t.Errorf("%s, after %v, claims to be complete, but %s", a.question.what,
				a.began.Sub(r.answers[0].began).Round(time.Millisecond), difference(a.got, truths[0]))
		}
	}
	if len(r.answers) < askedAtLeast || counts[lsp.Complete] == len(r.answers) {
		t.Errorf("%d answers, %v: that proves nothing", len(r.answers), counts)
	}
	t.Logf("%d answers in %v: %v; %d are not the truth, and none of those claims to be", len(r.answers),
		r.answers[len(r.answers)-1].ended.Sub(r.answers[0].began).Round(time.Millisecond), counts, wrong)
}

// difference says what is wrong with an answer.
func difference(got, want string) string {
	words := strings.Fields(got)
	lacks := slices.DeleteFunc(strings.Fields(want), func(word string) bool {
		at := slices.Index(words, word)
		if at >= 0 {
			words = slices.Delete(words, at, at+1)
		}
		return at >= 0
	})
	return fmt.Sprintf("lacks %d: %s\nand has %d too many: %s", len(lacks), excerpt.Clip(strings.Join(lacks, " ")), len(words), excerpt.Clip(strings.Join(words, " ")))
}

// truths are those that an answer may have seen: both, if the change was made meanwhile.
func (r *trial) truths(a answer, changed bool, last string) []string {
	before, after := a.question.truth, a.question.next
	if before == "" {
		before = last
	}
	if after == "" {
		after = before
	}
	switch {
	case !changed || a.ended.Before(r.from):
		return []string{before}
	case a.began.After(r.until):
		return []string{after}
	}
	return []string{before, after}
}

// final asks everything once more, when the server has had all the time it wants, and returns the answers.
func (r *trial) final(t *testing.T, changed bool) map[string]string {
	t.Helper()
	if err := r.code.Project.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	last := map[string]string{}
	for i := range r.world.questions {
		q := &r.world.questions[i]
		a := r.ask(t.Context(), q)
		last[q.what] = a.got
		excused := r.world.partly != "" && strings.Contains(a.claim.Reason, r.world.partly)
		if a.err != nil || a.claim.State != lsp.Complete && !excused {
			t.Errorf("%s, at the end: %v, %+v", q.what, a.err, a.claim)
		}
	}
	return last
}

func (w *world) callersOf(name string) question {
	return question{what: "find_callers " + name, ask: func(ctx context.Context, c *Toolset) (string, lsp.Completeness, error) {
		out, err := c.FindCallers(ctx, tools.Call{}, FindCallersInput{Name: name, MaxResults: 1000})
		if err != nil {
			return "", lsp.Completeness{}, err
		}
		if out.DefinitionFile == nil {
			return "nothing: " + *out.Warning, out.Completeness, nil
		}
		var sites []string
		for _, s := range out.CallSites {
			if !strings.HasPrefix(s.Kind, "interface ") {
				sites = append(sites, siteAt(query.Relative(w.dir, s.File), s.Line))
			}
		}
		slices.Sort(sites)
		return strings.Join(sites, " "), out.Completeness, nil
	}}
}

// siteAt writes a line so that texts are in the order of lines.
func siteAt(path string, line int) string { return fmt.Sprintf("%s:%04d", path, line) }

func (w *world) fieldsOf(name string) question {
	return question{what: "show_fields " + name, ask: func(ctx context.Context, c *Toolset) (string, lsp.Completeness, error) {
		out, err := c.ShowFields(ctx, tools.Call{}, ShowFieldsInput{TypeName: name})
		if err != nil {
			return "", lsp.Completeness{}, err
		}
		var names []string
		for _, f := range out.Fields {
			names = append(names, f.Name)
		}
		return strings.Join(names, " "), out.Completeness, nil
	}}
}

func (w *world) constructorsOf(name string) question {
	return question{what: "show_constructors " + name, ask: func(ctx context.Context, c *Toolset) (string, lsp.Completeness, error) {
		out, err := c.ShowConstructors(ctx, tools.Call{}, ShowConstructorsInput{TypeName: name})
		if err != nil {
			return "", lsp.Completeness{}, err
		}
		names := []string{fmt.Sprintf("%d literals", out.Literals)}
		for _, f := range out.Constructors {
			names = append(names, f.Name+"@"+query.Relative(w.dir, f.File))
		}
		slices.Sort(names)
		return strings.Join(names, " "), out.Completeness, nil
	}}
}

// chill forgets what the language server has kept of the world outside of memory.
func (w *world) chill(t *testing.T) {
	t.Helper()
	w.caches = t.TempDir()
	if err := os.RemoveAll(filepath.Join(w.dir, ".cache")); err != nil {
		t.Fatal(err)
	}
}
