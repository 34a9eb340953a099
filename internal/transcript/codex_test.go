package transcript

import (
	"strings"
	"testing"
)

// The lines are made after the types of codex-rs/protocol; none was recorded.
func TestCodex(t *testing.T) {
	rollout := strings.Join([]string{
		`{"timestamp":"2026-09-28T13:47:48.000Z","type":"session_meta","payload":{"id":"5973b6c0-94b8-487b-a530-2aeb6098ae0e","cwd":"/work/cat","git":{"branch":"main"},"forked_from_id":"old"}}`,
		`{"timestamp":"2026-09-28T13:47:49.000Z","type":"turn_context","payload":{"model":"m"}}`,
		`{"timestamp":"2026-09-28T13:47:50.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md"}]}}`,
		`{"timestamp":"2026-09-28T13:47:50.000Z","type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"text","text":"Run it"}]}}}`,
		`{"timestamp":"2026-09-28T13:47:50.000Z","type":"event_msg","payload":{"type":"user_message","message":"Run it"}}`,
		`{"timestamp":"2026-09-28T13:47:51.000Z","type":"response_item","payload":{"type":"function_call","name":"shell","call_id":"1","arguments":"{\"command\":[\"go\",\"test\"]}"}}`,
		`{"timestamp":"2026-09-28T13:47:51.000Z","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"2","input":"*** Begin Patch\n*** Update File: a/b.go\n"}}`,
		`{"timestamp":"2026-09-28T13:47:51.000Z","type":"response_item","payload":{"type":"local_shell_call","call_id":"3","action":{"type":"exec","command":["ls","-l"]}}}`,
		`{"timestamp":"2026-09-28T13:47:52.000Z","type":"event_msg","payload":{"type":"agent_message","message":"Done."}}`,
		`{"timestamp":"2026-09-28T13:47:52.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}}`,
		`{"timestamp":"2026-09-28T13:47:53.000Z","type":"event_msg","payload":{"type":"user_message","message":"wrong"}}`,
		`{"timestamp":"2026-09-28T13:47:54.000Z","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}`,
		`{"timestamp":"2026-09-28T13:47:55.000Z","type":"event_msg","payload":{"type":"user_message","message":"# Context from my IDE setup:\n\n## Open tabs:\n- a.go\n\n## My request for Codex:\nright\n"}}`,
		`{"timestamp":"2026-09-28T13:47:56.000Z","type":"compacted","payload":{"message":"summary"}}`,
	}, "\n")
	r := readAll(codex(), "5973b6c0-94b8-487b-a530-2aeb6098ae0e", []byte(rollout))
	const want = `0 "Run it" "Done." shell go test apply_patch a/b.go shell ls -l
- 1 "wrong" ""
2 "right" ""
`
	if got := outline(r.Take()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if i := r.Info(); i.Cwd != "/work/cat" || i.Branch != "main" || i.Parent != "old" || i.Title != "Run it" || i.Unreadable != 0 {
		t.Errorf("%+v", i)
	}
	rel := "2025/05/07/rollout-2025-05-07T17-24-21-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl"
	if f, ok := codexFile(rel); !ok || f.Session != "5973b6c0-94b8-487b-a530-2aeb6098ae0e" || f.Group != "2025/05/07" {
		t.Errorf("%+v %v", f, ok)
	}
	for _, rel := range []string{"2025/05/07/x.jsonl", "rollout-1.jsonl", "2025/05/07/rollout-1.jsonl.zst"} {
		if f, ok := codexFile(rel); ok {
			t.Errorf("%s: %+v", rel, f)
		}
	}
}
