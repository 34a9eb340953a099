package teach

import (
	"path/filepath"
	"reflect"
	"testing"

	"tidepool/lsp"
	"tidepool/teach"
	"tidepool/tools"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/toolstest"
	"tidepool/tools/lang"
)

const queueModule = `
-- go.mod --
module example.test/queue

go 1.26
-- queue.go --
package queue

// A Queue keeps numbers.
type Queue []int

// Pop takes the first.
func (q *Queue) Pop() (n int) {
	q.check()
	n, *q = (*q)[0], (*q)[1:]
	return n
}

func (q *Queue) check() {
	if len(*q) == 0 {
		panic(empty())
	}
}

func empty() string { return "there is none" }
-- queue_test.go --
package queue

import "testing"

// The first comes
// out first.
func TestFirst(t *testing.T) { new(Queue).Pop() }

func TestPopped(t *testing.T) { _ = "Pop"; Popped() } // Pop

func Popped() {}
-- other/other_test.go --
package other

import "testing"

// Elsewhere.
func TestFirst(t *testing.T) { t.Log(Pop) }

const Pop = 1
`

// observing returns an observation of a project without a record, with what seeds mean.
func observing(t *testing.T, code toolstest.Tree, names ...string) (*observation, []lsp.Symbol) {
	t.Helper()
	view, err := tools.Look(t.Context(), tools.Call{}, code.Project, tools.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	o := &observation{codeSource: &codeSource{maxRequests: maxTeachRequests, Query: new(lang.Memory).Query(view, code.Root, lang.Options{})}}
	var seeds []lsp.Symbol
	for _, name := range names {
		seed, symbol, err := o.seed(t.Context(), name)
		if err != nil || seed.Problem != "" {
			t.Fatal(err, seed.Problem)
		}
		seeds = append(seeds, symbol)
	}
	return o, seeds
}

// Tests beside a seed, beside those that ran it, and others say what they are about by their texts and by the seeds that they name.
func TestWhatTestsSay(t *testing.T) {
	code := toolstest.Serve(t, t.TempDir(), "go", queueModule)
	o, seeds := observing(t, code, "Queue.Pop", "Queue")
	o.Tests = []query.RecordedTest{{Dir: code.Root, Name: "TestPopped"}, {Dir: code.Root, Name: "TestFirst"}, {Dir: filepath.Join(code.Root, "other"), Name: "TestFirst"}}
	first, popped := "The first comes\nout first.\nfunc TestFirst(t *testing.T) { new(Queue).Pop() }", "\nfunc TestPopped(t *testing.T) { _ = \"Pop\"; Popped() }"
	want := testTexts{map[int]string{0: popped, 1: first, 2: "Elsewhere.\nfunc TestFirst(t *testing.T) { t.Log(Pop) }"}, [][]int{{1, 2}, {1}}}
	for _, by := range [][]int{nil, {1}, {1, 2}} {
		o.Ran = []query.RanFunction{{Path: filepath.Join(code.Root, "queue.go"), Name: "Queue.Pop", Tests: by}}
		if texts, err := o.read(t.Context(), seeds); err != nil || !reflect.DeepEqual(texts, want) {
			t.Errorf("by %v: %+v, %v", by, texts, err)
		}
	}
	o.Tests, o.Ran = o.Tests[:2], nil
	if texts, err := o.read(t.Context(), seeds); err != nil || texts.sources[2] != "" || len(texts.named[0]) != 1 {
		t.Errorf("what is in no record: %+v, %v", texts, err)
	}
}

// A function that a seed calls is told, even if no test ran it.
func TestCalled(t *testing.T) {
	code := toolstest.Serve(t, t.TempDir(), "go", queueModule)
	o, seeds := observing(t, code, "Queue.Pop", "Queue.check")
	file := filepath.Join(code.Root, "queue.go")
	o.Ran = []query.RanFunction{{Path: file, Name: "Queue.check", Line: 13, Tests: []int{0}}}
	for n, want := range map[int][][]int{1: {{0}, {1}}, 2: {{0, 1}}} {
		calls, err := o.called(t.Context(), seeds[:n])
		if err != nil || !reflect.DeepEqual(calls, want) || len(o.Ran) != 2 || o.Ran[1].Name != "empty" {
			t.Fatalf("from %d seeds: %v of %+v, %v", n, calls, o.Ran, err)
		}
	}
	for how, tests := range map[teach.Relation][]int{teach.Ran: {0}, teach.Body: {1}} {
		told, err := o.told(t.Context(), []int{0, 1}, tests, seeds[:1], 2)
		if err != nil || len(told) != 2 || told[0].Relation != how || told[1].Relation != teach.Body || told[1].To.Name != "empty" {
			t.Errorf("by %v: %+v, %v", tests, told, err)
		}
	}
}
