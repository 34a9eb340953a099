package oldnames

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tidepool/internal/journal"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/internal/scrub"
	"tidepool/internal/session"
	"tidepool/tools"
	"tidepool/tools/execution"
	memorytools "tidepool/tools/memory"
)

// A fixture has the tools over a real database.
type fixture struct {
	t        testing.TB
	registry *tools.Registry
	journal  *journal.Journal
	now      time.Time
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	f := &fixture{t: t, registry: tools.NewRegistry(), now: time.Date(2026, 3, 12, 9, 30, 0, 0, time.UTC)}
	dir := filepath.Join(t.TempDir(), "harbor")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	project, err := recall.ProjectOf(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return f.now }
	store, err := recall.Open(t.Context(), recall.Options{Dir: filepath.Join(t.TempDir(), "data"), Project: project, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	scrubber, err := scrub.New(scrub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f.journal = journal.New(store.Database(), journal.Options{Project: project, Scrub: scrubber, Now: now, Save: func(ctx context.Context, d memory.Draft) (string, error) {
		saved, err := store.Save(ctx, d)
		return saved.ID, err
	}})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := errors.Join(f.journal.Close(ctx), store.Close(ctx)); err != nil {
			t.Error(err)
		}
	})
	open := func(context.Context) (Memories, Journal, memory.Project, error) {
		return store, f.journal, project, nil
	}
	if err := f.registry.Discover(&Toolset{Open: open, Now: now}); err != nil {
		t.Fatal(err)
	}
	return f
}

type object = map[string]any

func (f *fixture) try(from, tool string, arguments object) (out object, err error) {
	f.t.Helper()
	raw, err := json.Marshal(arguments)
	if err != nil {
		f.t.Fatal(err)
	}
	result, err := f.registry.Call(f.t.Context(), tools.Call{Tool: tool, Caller: session.Conversation{ID: session.ID{Session: from}}}, raw)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(result.JSON, &out); err != nil {
		f.t.Fatal(err)
	}
	return out, nil
}

func (f *fixture) call(from, tool string, arguments object) object {
	f.t.Helper()
	out, err := f.try(from, tool, arguments)
	if err != nil {
		f.t.Fatalf("%s: %v", tool, err)
	}
	return out
}

// begin begins an entry.
func (f *fixture) begin(from, goal string) journal.Entry {
	f.t.Helper()
	e, err := f.journal.Start(f.t.Context(), journal.Owner{Session: from}, journal.Start{
		Domain: "debugging", Strategy: "read-the-error", Goal: goal,
		Supposition: journal.Supposition{Hypothesis: "workers send on a closed channel", Action: "wait for workers before the channel is closed", Prediction: "it passes"},
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return e
}

func TestAllNamesAreThere(t *testing.T) {
	var names []string
	for _, d := range newFixture(t).registry.Definitions() {
		names = append(names, d.Name)
	}
	want := []string{
		"delete_memory", "get_orphaned_ghap", "increment_tool_count", "list_memories", "list_values", "memory_outcome", "memory_record", "reset_tool_count",
		"retrieve_memories", "search_experiences", "session_end", "session_start", "should_check_in", "start_session", "store_memory", "store_value", "validate_value",
	}
	if !slices.Equal(names, want) {
		t.Errorf("got %q", names)
	}
}

func TestSessions(t *testing.T) {
	f := newFixture(t)
	if out := f.call("s", "start_session", nil); out["session_id"] != "s" || out["started_at"] != "2026-03-12T09:30:00Z" {
		t.Errorf("%v", out)
	}
	id := f.call("", "start_session", nil)["session_id"].(string)
	if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(id) {
		t.Errorf("id %q", id)
	}
	for want := 1.; want <= 3; want++ {
		if out := f.call("s", "increment_tool_count", nil); out["tool_count"] != want {
			t.Errorf("%v, want %v", out, want)
		}
	}
	for frequency, want := range map[int]bool{3: true, 4: false} {
		if out := f.call("s", "should_check_in", object{"frequency": frequency}); out["should_check_in"] != want {
			t.Errorf("%d: %v", frequency, out)
		}
	}
	if out := f.call("other", "should_check_in", object{"frequency": 1}); out["should_check_in"] != false {
		t.Errorf("sessions share a count: %v", out)
	}
	if out := f.call("s", "reset_tool_count", nil); out["tool_count"] != 0. {
		t.Errorf("%v", out)
	}
	if _, err := f.try("s", "should_check_in", object{"frequency": 0}); err == nil {
		t.Error("a frequency of 0 is accepted")
	}
}

func TestOrphans(t *testing.T) {
	f := newFixture(t)
	if out := f.call("new", "get_orphaned_ghap", nil); len(out) != 1 || out["has_orphan"] != false {
		t.Errorf("%v", out)
	}
	f.begin("old", "the pool drains")
	f.now = f.now.Add(3 * time.Hour)
	if out := f.call("new", "get_orphaned_ghap", nil); out["has_orphan"] != true || out["session_id"] != "old" || out["goal"] != "the pool drains" || out["prediction"] != "it passes" {
		t.Errorf("%v", out)
	}
}

func TestExperiencesAndValues(t *testing.T) {
	f := newFixture(t)
	const text = "wait for workers before closing their channel"
	if out := f.call("s", "validate_value", object{"text": text, "cluster_id": "full_0"}); out["valid"] != false || out["reason"] == "" {
		t.Errorf("%v", out)
	}
	_, err := f.try("s", "store_value", object{"text": text})
	if body, ok := Failure(err); !ok || body["error"].(map[string]string)["type"] != "validation_error" || !strings.Contains(err.Error(), "no experience") {
		t.Errorf("%v", err)
	}
	var entry journal.Entry
	for _, goal := range []string{"the pool drains without a panic in the night shift", "the relay stops when its peers are gone for an hour", "mails are sent although the provider hangs"} {
		entry = f.begin("s", goal)
		_, err := f.journal.Resolve(t.Context(), journal.Owner{Session: "s"}, journal.Resolution{
			Status: journal.Confirmed, Result: "as expected of " + goal, Lesson: &journal.Lesson{WhatWorked: "a wait group around " + goal},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	out := f.call("s", "search_experiences", object{"query": "mails provider hangs", "domain": "debugging", "outcome": "confirmed", "axis": "strategy", "limit": 1})
	if out["count"] != 1. || out["complete"] != true {
		t.Fatalf("%v", out)
	}
	one := out["results"].([]any)[0].(object)
	for key, want := range (object{"ghap_id": entry.ID, "domain": "debugging", "strategy": "read-the-error", "goal": "mails are sent although the provider hangs",
		"outcome_status": "confirmed", "confidence_tier": "silver", "iteration_count": 1., "project": "harbor", "prediction": "it passes"}) {
		if one[key] != want {
			t.Errorf("%s is %v, want %v", key, one[key], want)
		}
	}
	if out := f.call("s", "search_experiences", object{"query": "mails provider hangs", "domain": "security"}); out["count"] != 0. {
		t.Errorf("%v", out)
	}
	if out := f.call("s", "validate_value", object{"text": text}); out["valid"] != true || out["cluster_id"] != "debugging" || len(out["support"].([]any)) != 3 {
		t.Errorf("%v", out)
	}
	id := f.call("s", "store_value", object{"text": text})["id"]
	listed := f.call("s", "list_values", object{"axis": "full"})
	f.call("s", "delete_memory", object{"memory_id": one["id"]})
	if left, err := f.journal.Entry(t.Context(), entry.ID); left != nil || err != nil {
		t.Errorf("the experience is forgotten, and its entry is %+v, %v", left, err)
	}
	if first := listed["results"].([]any)[0].(object); listed["count"] != 1. || first["id"] != id || first["text"] != text || first["cluster_id"] != "debugging" {
		t.Errorf("%v", listed)
	}
}

func TestMemories(t *testing.T) {
	f := newFixture(t)
	id := f.call("s", "store_memory", object{"content": "Always use pnpm in <web>.", "category": "preference", "importance": .9, "tags": []string{"web"}})["id"].(string)
	f.now = f.now.Add(time.Minute)
	f.call("s", "store_memory", object{"content": "The harbor database is on port 5433.", "category": "fact"})
	recorded := f.call("s", "memory_record", object{
		"project_id": "p", "title": "Proxy", "content": "Set network-concurrency to 1 behind the proxy.", "outcome": "success", "session_date": "2026-03-01T10:00:00Z",
	})
	if recorded["confidence"] != .5 || recorded["title"] != "Proxy" {
		t.Errorf("%v", recorded)
	}
	out := f.call("s", "retrieve_memories", object{"query": "pnpm web", "category": "preference"})
	first := out["results"].([]any)[0].(object)
	if out["count"] != 1. || first["id"] != id || first["content"] != "Always use pnpm in <web>." || first["category"] != "preference" || first["importance"] != .5 {
		t.Errorf("%v", out)
	}
	contents := func(arguments object) (all []string) {
		t.Helper()
		for _, m := range f.call("s", "list_memories", arguments)["results"].([]any) {
			all = append(all, m.(object)["content"].(string)[:6])
		}
		return all
	}
	if got := contents(nil); !slices.Equal(got, []string{"Set ne", "The ha", "Always"}) {
		t.Errorf("%q", got)
	}
	if got := contents(object{"offset": 1, "limit": 1}); !slices.Equal(got, []string{"The ha"}) {
		t.Errorf("%q", got)
	}
	if got := contents(object{"category": "fact"}); !slices.Equal(got, []string{"The ha"}) {
		t.Errorf("%q", got)
	}
	if out := f.call("s", "memory_outcome", object{"memory_id": id, "succeeded": false}); out["new_confidence"].(float64) >= .5 {
		t.Errorf("%v", out)
	}
	for _, want := range []bool{true, false} {
		if out := f.call("s", "delete_memory", object{"memory_id": id}); out["deleted"] != want {
			t.Errorf("%v, want %v", out, want)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct{ tool, from, want string }{
		{"memory_feedback", `{"memory_id":"mem_1","helpful":true,"tenant_id":"t"}`, `{"helpful":true,"id":"mem_1"}`},
		{"memory_feedback", `{"memory_id":"old","id":"mem_1"}`, `{"id":"mem_1"}`},
		{"remediation_search", `{"error":"E1","context":"x","limit":3}`, `{"limit":3,"query":"E1"}`},
		{"remediation_feedback", `{"remediation_id":"mem_1","rating":"outdated"}`, `{"rating":"outdated","remediation_id":"mem_1"}`},
		{"checkpoint_list", `{"project_path":"/src/shop","session_id":"s"}`, `{"project":"/src/shop","session_id":"s"}`},
		{"start_ghap", `{"goal":"x"}`, `{"goal":"x"}`},
		{"memory_feedback", `[1]`, `[1]`},
		{"memory_feedback", `null`, `null`},
		{"memory_feedback", ``, ``},
	} {
		if got := string(Arguments(test.tool, json.RawMessage(test.from))); got != test.want {
			t.Errorf("%s %s: %s", test.tool, test.from, got)
		}
	}
}

// What arguments are renamed to is what the tools take, and what they were called is nothing that the tools take now.
func TestArgumentsAreThoseOfTheTools(t *testing.T) {
	r := tools.NewRegistry()
	if err := errors.Join(r.Discover(&memorytools.Toolset{}), r.Discover(&execution.Toolset{})); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, d := range r.Definitions() {
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal(d.InputSchema, &schema); err != nil {
			t.Fatal(err)
		}
		for from, to := range renamings()[d.Name] {
			if _, ok := schema.Properties[to]; to != "" && !ok {
				t.Errorf("%s takes no %s", d.Name, to)
			}
			if _, ok := schema.Properties[from]; ok {
				t.Errorf("%s takes %s by itself", d.Name, from)
			}
			checked++
		}
	}
	all := 0
	for _, of := range renamings() {
		all += len(of)
	}
	if checked != all || all == 0 {
		t.Errorf("%d of %d renamings are of tools that there are", checked, all)
	}
}

func TestFailure(t *testing.T) {
	body, ok := Failure(&journal.ActiveError{ID: "ghap_1"})
	raw, err := json.Marshal(body)
	if !ok || err != nil || string(raw) != `{"error":{"message":"Active GHAP exists (id: ghap_1). Resolve it first with resolve_ghap or abandon it.","type":"active_ghap_exists"}}` {
		t.Errorf("%s, %v", raw, err)
	}
	if _, ok := Failure(errors.New("x")); ok {
		t.Error("any error has a type")
	}
}
