package teach_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tidepool/teach"
)

// A fakeSource is a source whose symbols are named by what they are: "Reader" has the links under its name.
type fakeSource map[string][]teach.Link

func (b fakeSource) Links(_ context.Context, s teach.Symbol) ([]teach.Link, error) {
	if links, ok := b[s.Name]; ok {
		return links, nil
	}
	return nil, fmt.Errorf("nobody knows %s", s.Name)
}

func symbol(name string) teach.Symbol { return teach.Symbol{ID: name, Name: name, Kind: "struct"} }

func uses(relation teach.Relation, names ...string) []teach.Link {
	var links []teach.Link
	for _, name := range names {
		links = append(links, teach.Link{To: symbol(name), Relation: relation, Times: 1})
	}
	return links
}

// selectAll selects everything, in the order of the candidates.
type selectAll struct{ limit int }

func (selectAll) Name() string { return "all" }
func (a selectAll) Limit() int { return a.limit }
func (selectAll) Select(_ context.Context, q teach.Question) ([]int, error) {
	var chosen []int
	for i := range q.Candidates {
		chosen = append(chosen, i)
	}
	return chosen, nil
}

// A fakeSelector selects by the name of the symbol asked about.
type fakeSelector map[string]any

func (fakeSelector) Name() string { return "fake" }
func (fakeSelector) Limit() int   { return 100 }
func (s fakeSelector) Select(_ context.Context, q teach.Question) ([]int, error) {
	switch answer := s[q.Of.Name].(type) {
	case []int:
		return answer, nil
	case error:
		return nil, answer
	}
	return []int{0}, nil
}

func topic(budget int, seeds ...string) teach.Topic {
	t := teach.Topic{Text: "how does it work", Budget: budget}
	for _, name := range seeds {
		t.Seeds = append(t.Seeds, symbol(name))
	}
	return t
}

func names(p *teach.Plan) string {
	var all []string
	for _, u := range p.Units {
		all = append(all, fmt.Sprintf("%s%d", u.Name, u.Depth))
	}
	return strings.Join(all, " ")
}

var log = fakeSource{
	"Info":    append(uses(teach.Body, "check", "Write"), uses(teach.Signature, "Logger", "Field")...),
	"Logger":  append(uses(teach.Signature, "Core"), uses(teach.Method, "Info", "check")...),
	"check":   append(uses(teach.Signature, "Logger", "Level"), uses(teach.Body, "Core", "Checked")...),
	"Core":    append(uses(teach.Signature, "Checked", "Field"), uses(teach.Implementation, "ioCore")...),
	"Checked": uses(teach.Signature, "Core"), "Field": {}, "Level": {},
	"Write":        append(uses(teach.Body, "Core"), uses(teach.Dispatch, "ioCore.Write")...),
	"ioCore":       append(uses(teach.Contract, "Core"), uses(teach.Signature, "Sink")...),
	"ioCore.Write": uses(teach.Signature, "ioCore"), "Sink": {},
}

func TestExplore(t *testing.T) {
	tests := []struct {
		name   string
		topic  teach.Topic
		want   string // names with their depths, in order
		opened int
	}{
		{"everything", topic(0, "Info"), "Field1 Core2 Checked2 Logger1 Write1 Level2 check1 Info0 Sink4 ioCore3 ioCore.Write2", 0},
		{"the nearest and most used within the budget", topic(6, "Info"), "Field1 Core2 Logger1 Write1 check1 Info0", 4},
		{"two seeds are both core", topic(3, "Level", "Field"), "Level0 Field0", 0},
		{"more seeds than the budget", topic(1, "Level", "Field"), "Level0", 1},
		{"the same seed twice", topic(3, "Level", "Level"), "Level0", 0},
		{"nothing to start from", topic(3), "", 0},
	}
	for _, tt := range tests {
		plan, err := teach.Explore(t.Context(), log, selectAll{100}, tt.topic)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if diff := cmp.Diff(tt.want, names(plan)); diff != "" || plan.Open != tt.opened {
			t.Errorf("%s: %d open\n%s", tt.name, plan.Open, diff)
		}
	}
}

func TestWhy(t *testing.T) {
	plan, err := teach.Explore(t.Context(), log, selectAll{100}, topic(0, "Info"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"Info": "what you asked about", "Field": "used by Core (2), Info (8)", "Checked": "used by check (7)",
		"Sink": "used by ioCore (10)", "ioCore.Write": "what may run when Write (5) calls it through an interface",
		"Logger": "used by check (7), Info (8)", "ioCore": "used by ioCore.Write (11)",
	}
	for i, u := range plan.Units {
		if why := want[u.Name]; why != "" && plan.Why(i) != why {
			t.Errorf("%s: %q, want %q", u.Name, plan.Why(i), why)
		}
	}
	if core, checked := plan.Units[1], plan.Units[2]; core.Group == 0 || core.Group != checked.Group || plan.Units[0].Group != 0 {
		t.Errorf("what needs each other is no group of its own: %+v", plan.Units)
	}
}

// What the selector fails on, or answers wrongly, is told and takes nothing for granted.
func TestSelectorFailures(t *testing.T) {
	broken := errors.New("the model called no tool")
	tests := []struct {
		name     string
		selector fakeSelector
		want     string
		failed   int
	}{
		{"nothing is selected", fakeSelector{"Info": []int{}}, "Info0", 0},
		{"an error costs what only that symbol leads to", fakeSelector{"Info": []int{0, 2}, "check": broken, "Logger": []int{0}, "Core": []int{}}, "Core2 Logger1 check1 Info0", 1},
		{"an index that is none", fakeSelector{"Info": []int{1, 3}, "Write": []int{7}}, "Field1 Write1 Info0", 1},
		{"an index twice", fakeSelector{"Info": []int{0, 3}, "check": []int{1, 1}}, "Field1 check1 Info0", 1},
	}
	for _, tt := range tests {
		plan, err := teach.Explore(t.Context(), log, tt.selector, topic(5, "Info"))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if diff := cmp.Diff(tt.want, names(plan)); diff != "" || plan.Unselected.Count != tt.failed || (plan.Unselected.First != nil) != (tt.failed > 0) {
			t.Errorf("%s: %+v\n%s", tt.name, plan.Unselected, diff)
		}
	}
	if _, err := teach.Explore(t.Context(), log, fakeSelector{"Info": broken}, topic(5, "Info")); !errors.Is(err, broken) {
		t.Errorf("a selector that answers nothing gives %v", err)
	}
}

func TestSourceFailures(t *testing.T) {
	plan, err := teach.Explore(t.Context(), fakeSource{"A": uses(teach.Body, "B")}, selectAll{100}, topic(5, "A"))
	if err != nil || plan.Unread.Count != 1 || names(plan) != "B1 A0" {
		t.Errorf("%v %+v", err, plan)
	}
	if _, err := teach.Explore(t.Context(), fakeSource{}, selectAll{100}, topic(5, "A")); err == nil {
		t.Error("no error from a source that knows nothing")
	}
	plan, err = teach.Explore(t.Context(), fakeSource{"A": uses(teach.Body, "B", "C", "D"), "B": {}}, selectAll{1}, topic(5, "A"))
	if err != nil || plan.Cut != 2 || plan.Declined != 0 || names(plan) != "B1 A0" {
		t.Errorf("beyond the selector's limit: %v %+v", err, plan)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stopping := sourceFunc(func(s teach.Symbol) ([]teach.Link, error) {
		if s.Name == "check" {
			cancel()
		}
		return log[s.Name], nil
	})
	plan, err := teach.Explore(ctx, stopping, selectAll{100}, topic(9, "Info"))
	if err != nil || plan.Partial == "" || !strings.HasSuffix(names(plan), "Info0") {
		t.Errorf("%v %+v", err, plan)
	}
	if _, err := teach.Explore(ctx, stopping, selectAll{100}, topic(9, "Info")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

type sourceFunc func(teach.Symbol) ([]teach.Link, error)

func (f sourceFunc) Links(_ context.Context, s teach.Symbol) ([]teach.Link, error) { return f(s) }

// What tests of the topic ran comes next to the seeds, whether or not anything leads to it.
func TestRan(t *testing.T) {
	code := fakeSource{"Open": uses(teach.Body, "Read", "Close"), "Evict": uses(teach.Body, "Entry"), "Read": nil, "Close": nil, "Entry": nil}
	asked := topic(4, "Open")
	asked.Told = append(uses(teach.Ran, "Evict", "Open"), uses(teach.Body, "Close")...)
	plan, err := teach.Explore(t.Context(), code, selectAll{100}, asked)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(plan), "Close1 Read1 Open0 Evict1"; got != want {
		t.Fatalf("the plan is %s, want %s", got, want)
	}
	if got, want := plan.Why(3), "tests of the topic run this, and most others do not"; got != want {
		t.Errorf("why: %s, want %s", got, want)
	}
	if got, want := plan.Why(0), "used by Open (3)"; got != want {
		t.Errorf("why: %s, want %s", got, want)
	}
	if plan.Open != 1 { // Entry
		t.Errorf("%d are left out", plan.Open)
	}
	asked.Seeds = nil
	if plan, err := teach.Explore(t.Context(), code, selectAll{100}, asked); err != nil || len(plan.Units) != 0 {
		t.Errorf("without a seed: %s, %v", names(plan), err)
	}
}

// Whatever the code, nothing comes before what it needs unless both need each other, and only then; every unit can be
// reached from a seed; no budget is overspent; the same code gives the same plan.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		relations := []teach.Relation{teach.Signature, teach.Body, teach.Contract, teach.Implementation, teach.Method, teach.Dispatch}
		code := fakeSource{}
		for i := range n {
			code[fmt.Sprint("s", i)] = []teach.Link{}
			for _, j := range rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 0, min(n, 5), rapid.ID[int]).Draw(t, "links") {
				link := uses(rapid.SampledFrom(relations).Draw(t, "relation"), fmt.Sprint("s", j))
				code[fmt.Sprint("s", i)] = append(code[fmt.Sprint("s", i)], link...)
			}
		}
		asked := topic(rapid.IntRange(1, 15).Draw(t, "budget"), "s0", fmt.Sprint("s", n-1))
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 0, min(n, 4), rapid.ID[int]).Draw(t, "ran") {
			asked.Told = append(asked.Told, uses(rapid.SampledFrom([]teach.Relation{teach.Ran, teach.Body}).Draw(t, "how"), fmt.Sprint("s", i))...)
		}
		plan, err := teach.Explore(context.Background(), code, selectAll{100}, asked)
		if err != nil {
			t.Fatal(err)
		}
		if len(plan.Units) > asked.Budget {
			t.Fatalf("%d units of a budget of %d", len(plan.Units), asked.Budget)
		}
		checkOrder(t, code, plan)
		again, err := teach.Explore(context.Background(), code, selectAll{100}, asked)
		if err != nil || names(again) != names(plan) || again.Mermaid() != plan.Mermaid() {
			t.Fatalf("another plan for the same: %v\n%s\n%s", err, names(plan), names(again))
		}
	})
}

func checkOrder(t *rapid.T, code fakeSource, plan *teach.Plan) {
	at := make(map[string]int)
	for i, u := range plan.Units {
		if _, twice := at[u.ID]; twice {
			t.Fatalf("%s stands twice", u.Name)
		}
		at[u.ID] = i
	}
	for i, u := range plan.Units {
		for _, l := range code[u.Name] {
			j, ok := at[l.To.ID]
			needed := l.Relation == teach.Signature || l.Relation == teach.Body
			if ok && needed && j != i && !slices.Contains(u.Needs, j) {
				t.Fatalf("%s does not say that it needs %s", u.Name, l.To.Name)
			}
			if ok && plan.Units[j].Depth > u.Depth+1 {
				t.Fatalf("%s is %d steps away, but %s with %d leads to it", l.To.Name, plan.Units[j].Depth, u.Name, u.Depth)
			}
		}
		for _, n := range u.Needs {
			together := u.Group != 0 && plan.Units[n].Group == u.Group
			if n > i && !together {
				t.Fatalf("%s comes before %s, which it needs", u.Name, plan.Units[n].Name)
			}
			if together != leadsBack(plan, n, i) {
				t.Fatalf("%s and %s: group %d and %d", u.Name, plan.Units[n].Name, u.Group, plan.Units[n].Group)
			}
		}
		if u.Depth < 0 {
			t.Fatalf("nothing leads to %s", u.Name)
		}
	}
}

// leadsBack reports whether unit i needs unit j, if only by way of others.
func leadsBack(plan *teach.Plan, i, j int) bool {
	seen := map[int]bool{}
	var search func(int) bool
	search = func(at int) bool {
		if at == j {
			return true
		}
		if seen[at] {
			return false
		}
		seen[at] = true
		return slices.ContainsFunc(plan.Units[at].Needs, search)
	}
	return search(i)
}
