package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"tidepool/internal/diskcache"
	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/packages"
	"tidepool/internal/golang/reach"
	"tidepool/internal/golang/syntax"
)

// An engine answers one question after the other, and keeps what it has read for those to come.
type engine struct {
	files   syntax.Files
	cache   packages.Cache
	calls   reach.Cache
	sources []string // of the last request
	walk    uint64   // the last one that asked about all packages
	index   *packages.Index
	kinds   map[analysis.Op]answerer
	keep    func(analysis.Keep)
}

// An answerer answers a kind of question.
type answerer func(context.Context, *task) (any, error)

// A task is one question.
type task struct {
	*engine
	analysis.Request
}

// newEngine returns an engine that hands on what shall outlive it.
func newEngine(keep func(analysis.Keep)) *engine {
	e := &engine{keep: keep, kinds: map[analysis.Op]answerer{
		analysis.OpNames:             answering(names),
		analysis.OpEnum:              answering(enum),
		analysis.OpInterface:         answering(interfaceAt),
		analysis.OpUses:              answering(uses),
		analysis.OpTests:             answering(tests),
		analysis.OpTestFunctions:     answering(testFunctions),
		analysis.OpSelections:        answering(selections),
		analysis.OpAbout:             answering(about),
		analysis.OpUsed:              answering(used),
		analysis.OpOtherPlatformUses: answering(otherPlatformUses),
		analysis.OpTry:               answering(try),
	}}
	e.files.Keep(keptText)
	return e
}

// keptText bounds the text of the files whose syntax is kept, in bytes. It takes up to ten times as much.
const keptText = 16 << 20

// A store reads what is kept, and has somebody write.
type store struct {
	files diskcache.Cache
	keep  func(analysis.Keep)
}

// Load reads what is kept.
func (s store) Load(subject, key string) []byte { return s.files.Read(subject, key) }

// Save has data kept, unless it is too large for that.
func (s store) Save(subject, key string, data []byte) {
	if int64(len(data)) <= s.files.MaxFile {
		s.keep(analysis.Keep{Subject: subject, Key: key, Data: data})
	}
}

// answering reads what a question is about.
func answering[Of, Answer any](f func(context.Context, *task, Of) (Answer, error)) answerer {
	return func(ctx context.Context, t *task) (any, error) {
		var of Of
		if err := json.Unmarshal(t.Of, &of); err != nil {
			return nil, fmt.Errorf("reading a question: %w", err)
		}
		return f(ctx, t, of)
	}
}

// answer answers a request. One that is cancelled fails, except for an attempt, which is answered as far as it came.
func (e *engine) answer(ctx context.Context, r analysis.Request) (any, error) {
	if !r.Same {
		e.sources = r.Sources
	}
	if r.Kept != "" {
		e.cache.Store = store{analysis.Kept(r.Kept), e.keep}
	}
	f := e.kinds[r.Op]
	if f == nil {
		return nil, fmt.Errorf("there is no question %q", r.Op)
	}
	if ctx.Err() != nil && r.Op != analysis.OpTry {
		return nil, context.Cause(ctx)
	}
	return f(ctx, &task{e, r})
}

// begin begins to work on the packages. End must be called.
func (t *task) begin() *packages.Work { return t.cache.Begin(t.files.Read(), t.sources) }

// facts returns the index of the packages that the question is about. Questions of one walk about all of them share one. Of a tree
// that is too large for that no more is kept than the facts that the question needed.
func (t *task) facts(ctx context.Context) (*packages.Index, error) {
	whole := t.Dirs == nil
	if whole && t.Walk != 0 && t.Walk == t.walk {
		return t.index, nil
	}
	work := t.begin()
	defer work.End()
	dirs := t.Dirs
	switch {
	case whole:
		dirs = work.Directories()
	case t.Near != "":
		dirs = work.Importing(dirs, t.Near)
	}
	index, err := work.Index(ctx, dirs)
	switch {
	case t.Op == analysis.OpNames: // the question for which it is asked comes next
		work.Release(nil)
	case !whole:
		work.Release(dirs)
	}
	if err == nil && whole {
		t.walk, t.index = t.Walk, index
	}
	return index, err
}

// rest gives memory back after an answer: what the types of a tree occupy that are not needed again soon, because they are most of
// what the process may occupy, or were dropped.
func (e *engine) rest() {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	if limit := debug.SetMemoryLimit(-1); int64(now.HeapAlloc) < limit/2 {
		return
	}
	work := e.cache.Begin(e.files.Read(), nil)
	work.Release(nil)
	work.End()
	debug.FreeOSMemory()
}

// bare returns a function without what it is made of.
func bare(fn *fact.Function) *fact.Function {
	if fn == nil {
		return nil
	}
	copied := *fn
	copied.Uses, copied.Words = nil, nil
	return &copied
}
