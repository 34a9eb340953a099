package e2e

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"tidepool/tools"
)

// A step runs the examples of a tool.
type step struct {
	tool   string
	answer string                          // what a person answers to the question of a call; "" if it asks none
	before func(t *testing.T, d *dialogue) // makes what an example needs; nil: nothing
}

// silent returns the steps of tools that ask nobody.
func silent(names string) (all []step) {
	for name := range strings.FieldsSeq(names) {
		all = append(all, step{tool: name})
	}
	return all
}

// steps returns the tools in an order in which each finds what its examples are about.
func steps() []step {
	return slices.Concat(
		silent("exo_status exo_reconstitute pr_review_status"), []step{{tool: "file_pr", answer: "yes"}}, silent("exo_complete spawn_agents"),
		silent("find_callers show_fields show_constructors scout teach-graph safe_bash ref_content safe_read safe_write"),
		silent("search_conversations list_conversations read_conversation read_turn"),
		silent("remediation_record remediation_search remediation_feedback checkpoint_save checkpoint_list checkpoint_resume"),
		silent("memory_save memory_recall memory_expand memory_feedback memory_status memory_search memory_forget"),
		silent("start_ghap get_active_ghap update_ghap"), []step{{tool: "resolve_ghap", before: begin}}, silent("list_ghap_entries assemble_context"),
		[]step{{tool: "adopt_ghap", before: leave}}, silent("abandon_ghap"),
		silent("policy_list policy_get policy_check"),
		[]step{{tool: "skill_create", answer: "yes"}, {tool: "skill_list"}, {tool: "skill_get"}, {tool: "skill_update", answer: "yes"}, {tool: "skill_delete", answer: "yes"}},
		[]step{{tool: "agent_create", answer: "yes"}, {tool: "agent_list"}, {tool: "agent_get"}, {tool: "agent_update", answer: "yes"}, {tool: "agent_delete", answer: "yes"}},
		[]step{{tool: "confirm_action", answer: "yes"}, {tool: "request_guidance", answer: "19"}, {tool: "select_option", answer: "once"}},
	)
}

// begin begins an entry of the journal, unless one is active.
func begin(t *testing.T, d *dialogue) {
	t.Helper()
	if err := d.call(t, "start_ghap", d.examples["start_ghap"][0].Input); err != nil && !strings.Contains(err.Error(), "resolve_ghap") {
		t.Fatal(err)
	}
}

// leave begins an entry in another session, which then ends.
func leave(t *testing.T, d *dialogue) {
	t.Helper()
	begin(t, &dialogue{shop: d.shop, session: "gone", examples: d.examples, seen: map[string]string{}})
	ended := d.command(t.Context(), "agent", "hook", "session-end")
	ended.Stdin = strings.NewReader(`{"session_id":"gone","hook_event_name":"SessionEnd","reason":"other"}`)
	must(t, ended.Run())
	limit := time.Now().Add(time.Minute)
	for d.said = ""; !strings.Contains(d.said, "adopt_ghap"); { // until it counts as left
		must(t, d.call(t, "get_active_ghap", "{}"))
		if time.Now().After(limit) {
			t.Fatalf("the entry of the other session is not offered: %s", d.said)
		}
	}
}

// Each example of a description is a call that works, and its answer contains what the example says. Every tool has one.
func TestExamples(t *testing.T) {
	s := newShop(t, "examples")
	d := &dialogue{shop: s, session: "examples", examples: s.published(t), seen: map[string]string{}}
	known := slices.Sorted(maps.Keys(d.examples))
	for _, s := range steps() {
		known = slices.DeleteFunc(known, func(name string) bool { return name == s.tool })
		if len(d.examples[s.tool]) == 0 {
			t.Errorf("%s has no example: add one to its description", s.tool)
		}
		for _, e := range d.examples[s.tool] {
			if s.before != nil {
				s.before(t, d)
			}
			d.try(t, s, e)
		}
	}
	if len(known) > 0 {
		t.Errorf("nothing runs the examples of %s: add them to steps", strings.Join(known, ", "))
	}
}

// try runs an example, and answers its question.
func (d *dialogue) try(t *testing.T, s step, e tools.Example) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		for s.answer != "" && ctx.Err() == nil && d.command(ctx, "agent", "answer", s.answer).Run() != nil { // until there is a question
		}
	}()
	err := d.call(t, s.tool, e.Input)
	cancel()
	<-answered
	if err != nil {
		t.Errorf("%s, %s: %s\n%s", s.tool, e.Title, e.Input, err)
	} else if missing := e.Missing(d.said); missing != "" {
		t.Errorf("%s, %s: the answer to %s lacks %q:\n%s", s.tool, e.Title, e.Input, missing, d.said)
	}
}
