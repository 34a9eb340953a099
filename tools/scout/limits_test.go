package scout

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tidepool/internal/golang/analysis"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/scout/render"
	"tidepool/tools"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/toolstest"
	"tidepool/tools/lang"
)

// scoutOver serves a module with the given files.
func scoutOver(t *testing.T, files map[string]string) *Toolset {
	t.Helper()
	c := toolstest.Module(t, files)
	return &Toolset{Project: c.Project, Root: c.Root, Memory: langtest.Memory(t), Scorer: scout.Heuristic{}}
}

func changing(kind scout.ChangeKind, name string) Input {
	return Input{Query: "what breaks?", Symbols: query.Names{name}, Change: change{Kind: kind}}
}

// Errors that were there before are not the doing of a change.
func TestScoutInABrokenProject(t *testing.T) {
	s := scoutOver(t, map[string]string{
		"a.go": "package m\n\nfunc F() {}\n\nfunc g() {\n\tF()\n}\n",
		"b.go": "package m\n\nfunc h() {\n\tF()\n\tundefined()\n\tvar x int = \"\"\n}\n",
	})
	out, err := s.Scout(t.Context(), tools.Call{}, changing(scout.AddParameter, "F"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range out.Pointers[1:] {
		got = append(got, p.Location)
	}
	if !slices.Equal(got, []string{"a.go:6", "b.go:4"}) {
		t.Errorf("%v break, want the two calls:\n%s", got, out.Text())
	}
}

// A symbol that is used 5,000 times is answered within the bounds of every answer, which counts the rest.
func TestScoutOfAHub(t *testing.T) {
	files := map[string]string{"f.go": "package m\n\nfunc Hub() {}\n"}
	for i := range 50 {
		var b strings.Builder
		b.WriteString("package m\n")
		for j := range 10 {
			fmt.Fprintf(&b, "\nfunc user%d_%d() {\n%s}\n", i, j, strings.Repeat("\tHub()\n", 10))
		}
		files[fmt.Sprintf("user%02d.go", i)] = b.String()
	}
	s := scoutOver(t, files)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for kind, check := range map[scout.ChangeKind]func(*Output) bool{
		scout.AddParameter: func(o *Output) bool {
			return len(o.Pointers) == 501 && o.Check.Broken == 5000 && o.LeftOut.Certain == 4500 && o.NodesVisited == 1
		},
		scout.Other: func(o *Output) bool {
			return o.NodesVisited == 30 && o.LeftOut.Open+o.LeftOut.Cut > 500 && len(o.Limits) == 1
		},
	} {
		out, err := s.Scout(ctx, tools.Call{}, changing(kind, "Hub"))
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		if !check(out) || out.Partial != "" || len(out.Text()) > 10_000 {
			t.Errorf("%s: %d pointers, %d nodes, left out %+v, check %+v, limits %v:\n%s", kind,
				len(out.Pointers), out.NodesVisited, out.LeftOut, out.Check, out.Limits, out.Text())
		}
	}
}

// A caller that leaves is let go at once, whatever scout is at, and the code that was tried out is put back.
func TestScoutOfACallerWhoLeaves(t *testing.T) {
	s := newScout(t, scout.Heuristic{})
	in := changing(scout.AddMethod, "kinds.Shape")
	whole, err := s.Scout(t.Context(), tools.Call{}, in)
	if err != nil {
		t.Fatal(err)
	}
	var waits []time.Duration
	for _, after := range []time.Duration{0, 1, 2, 5, 10, 20, 30, 50} {
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan time.Time, 1)
		timer := time.AfterFunc(after*time.Millisecond, func() { left <- time.Now(); cancel() })
		out, err := s.Scout(ctx, tools.Call{}, in)
		returned := time.Now()
		if timer.Stop() {
			cancel()
			break // it answers faster than that
		}
		waits = append(waits, returned.Sub(<-left))
		if err == nil && out.Partial == "" && len(out.Pointers) < len(whole.Pointers) || err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("left after %v: %v", after*time.Millisecond, err)
		}
	}
	slices.Sort(waits)
	if median := waits[len(waits)/2]; median > time.Second {
		t.Errorf("callers who left were let go after %v", waits)
	}
	again, err := s.Scout(t.Context(), tools.Call{}, in)
	if err != nil || render.Text(again.Answer) != render.Text(whole.Answer) {
		t.Errorf("afterwards %v:\n%s\nwant\n%s", err, again.Text(), whole.Text())
	}
}

// Types that are not known when the caller's time is over cost the answer their part alone.
func TestScoutKeepsToItsCallersTime(t *testing.T) {
	s := newScout(t, scout.Heuristic{})
	s.Memory = new(lang.Memory)
	s.Memory.Go.Analysis = toolstest.Analysis(t, analysis.Options{Program: []string{"sleep", "3600"}, Patience: time.Hour})
	in, wait := changing(scout.AddVariant, "kinds.Color"), 0.5
	in.WaitSeconds = &wait
	out, err := s.Scout(t.Context(), tools.Call{}, in)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := out.Completeness.(lsp.Completeness)
	if c.State == lsp.Complete || !strings.Contains(c.Reason, "which switches and tables list its members is not known: the analysis of the packages took more than") {
		t.Errorf("%+v\n%s", c, out.Text())
	}
}

func TestScoutFindsWhatNobodyLists(t *testing.T) {
	g := zooGraph(t)
	for written, want := range map[string]string{
		"model.Server.Common": "Server.Common model/model.go:17",
		"Wrapped.Locker":      "Wrapped.Locker model/model.go:34",
		"IntBox.Box":          "IntBox.Box model/model.go:45",
		"Ring.Other":          "Ring.Other model/model.go:62",
		"paint/paint.go:39":   "Perimeter paint/paint.go:32",
		"paint/paint.go:32:6": "Perimeter paint/paint.go:32",
		"zoo.go:10":           "Feed zoo.go:10",
	} {
		nodes, err := g.Resolve(t.Context(), written)
		if err != nil || len(nodes) != 1 || nodes[0].Name+" "+nodes[0].Location() != want {
			t.Errorf("%s: %+v, %v; want %s", written, nodes, err, want)
		}
	}
	if _, err := g.Resolve(t.Context(), "zoo.go:2"); err == nil {
		t.Error("an empty line means something")
	}
}

func TestScoutSaysWhatALanguageDoesNotTell(t *testing.T) {
	answer := func(path string, kind scout.ChangeKind) *scout.Answer {
		return &scout.Answer{
			Understood: scout.Understood{Change: kind},
			Symbols:    []scout.Symbol{{Walked: 1, Found: []scout.Candidate{{Location: path + ":3"}, {Location: "other.rs:1"}}}},
		}
	}
	for _, tt := range []struct {
		path string
		kind scout.ChangeKind
		want string
	}{
		{"src/kind.rs", scout.AddVariant, "in rust scout does not find every exhaustive switch and table"},
		{"src/shape.rs", scout.AddImplementation, "in rust scout does not find every type switch"},
		{"src/kind.rs", scout.AddParameter, ""},
		{"kinds.go", scout.AddImplementation, ""},
	} {
		var got string
		for _, u := range unsupported(none(), answer(tt.path, tt.kind)) {
			got += u.String()
		}
		if got != tt.want {
			t.Errorf("%s of %s: %q, want %q", tt.kind, tt.path, got, tt.want)
		}
	}
	if lsp.LanguageOf("a.rs") != "rust" {
		t.Error("languages go by other names")
	}
}

func TestScoutWithoutGopls(t *testing.T) {
	c := toolstest.ModuleWith(t, filepath.Join(t.TempDir(), "gopls"), map[string]string{"a.go": "package m\n"})
	s := &Toolset{Project: c.Project, Root: c.Root, Memory: langtest.Memory(t), Scorer: scout.Heuristic{}}
	_, err := s.Scout(t.Context(), tools.Call{}, Input{Query: "what breaks", Symbols: query.Names{"F"}})
	var advice interface{ Hint() string }
	if !errors.As(err, &advice) || advice.Hint() == "" || !strings.Contains(err.Error(), "gopls") {
		t.Errorf("got %v, want an error about gopls that says what to do", err)
	}
}
