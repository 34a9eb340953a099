package transcript

import (
	"fmt"
	"strings"
	"testing"
)

// outline is one line a turn: the prompt, the answer, the tools; "-" before an abandoned one.
func outline(turns []Turn) string {
	var b strings.Builder
	for _, t := range turns {
		if t.Abandoned {
			b.WriteString("- ")
		}
		fmt.Fprintf(&b, "%d %q %q", t.Number, t.User, t.Answer)
		for _, tool := range t.Tools {
			fmt.Fprintf(&b, " %s", strings.Join(strings.Fields(strings.Join([]string{tool.Name, tool.File, tool.Command, tool.Pattern, tool.Type, tool.Description, tool.Error}, " ")), " "))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func prompt(uuid, parent, content string) string {
	return fmt.Sprintf(`{"parentUuid":%s,"type":"user","message":{"role":"user","content":%s},"uuid":"%s","sessionId":"s"}`, orNull(parent), content, uuid)
}

func answer(uuid, parent, id, content string) string {
	return fmt.Sprintf(`{"parentUuid":%s,"message":{"id":"%s","content":[%s]},"type":"assistant","uuid":"%s","sessionId":"s"}`, orNull(parent), id, content, uuid)
}

func orNull(uuid string) string {
	if uuid == "" {
		return "null"
	}
	return `"` + uuid + `"`
}

func textBlock(text string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, text) }

func TestClaudeShapes(t *testing.T) {
	ask := prompt("p", "", `"ask"`)
	for _, test := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"a prompt as blocks, with an image", []string{
			prompt("p", "", `[{"type":"image","source":{"data":"QUJD"}},{"type":"text","text":"what is this"}]`)},
			`0 "what is this" ""`},
		{"an image alone", []string{prompt("p", "", `[{"type":"image","source":{"data":"QUJD"}}]`)}, `0 "[image]" ""`},
		{"a prompt behind a reminder and an opened file", []string{
			prompt("p", "", `[{"type":"text","text":"<ide_opened_file>a.go</ide_opened_file>"},{"type":"text","text":"<system-reminder>\nx</system-reminder>\n\nfix it\n<system-reminder>y</system-reminder>"}]`)},
			`0 "fix it" ""`},
		{"a tag of the user's own stays", []string{prompt("p", "", `"<div> is not closed"`), prompt("q", "p", `"see <system-reminder> there"`)},
			"0 \"<div> is not closed\" \"\"\n1 \"see <system-reminder> there\" \"\""},
		{"no prompts", []string{
			`{"type":"user","isMeta":true,"message":{"content":"injected"},"uuid":"a"}`,
			`{"type":"user","isCompactSummary":true,"message":{"content":"summary"},"uuid":"b"}`,
			`{"type":"user","isSidechain":true,"message":{"content":"task"},"uuid":"c"}`,
			`{"type":"user","origin":{"kind":"task-notification"},"message":{"content":"done"},"uuid":"d"}`,
			prompt("e", "", `"<system-reminder>x</system-reminder>"`),
			prompt("f", "", `"<ide_selection>x</ide_selection>"`),
			prompt("g", "", `"[Request interrupted by user]"`),
			prompt("h", "", `[{"type":"text","text":"[Request interrupted by user for tool use]"}]`),
			prompt("i", "", `"<task-notification>\n<task-id>1</task-id></task-notification>"`),
			prompt("j", "", `"Stop hook feedback:\n- go on"`),
			prompt("k", "", `[{"type":"tool_result","tool_use_id":"t","content":"out"}]`),
			prompt("l", "", `"<bash-input>ls</bash-input>"`),
			prompt("m", "", `"<memory-data>old words</memory-data>"`),
			prompt("n", "", `""`),
		}, ""},
		{"queued while a tool ran", []string{
			ask,
			`{"type":"attachment","attachment":{"type":"queued_command","commandMode":"prompt","prompt":"and tests"},"uuid":"a","parentUuid":"p"}`,
			`{"type":"attachment","attachment":{"type":"queued_command","commandMode":"prompt","prompt":[{"type":"text","text":"in blocks"}],"origin":{"kind":"human"}},"uuid":"b","parentUuid":"a"}`,
			`{"type":"attachment","attachment":{"type":"queued_command","commandMode":"task-notification","prompt":"no"},"uuid":"c","parentUuid":"b"}`,
			`{"type":"attachment","attachment":{"type":"queued_command","prompt":"no","isMeta":true},"uuid":"d","parentUuid":"c"}`,
			`{"type":"attachment","attachment":{"type":"hook_additional_context","content":["no"],"prompt":"no"},"uuid":"e","parentUuid":"d"}`,
		}, "0 \"ask\" \"\"\n1 \"and tests\" \"\"\n2 \"in blocks\" \"\""},
		{"a slash command that the model answers", []string{
			prompt("p", "", `"<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>lsp 12</command-args>"`),
			`{"parentUuid":"p","type":"user","isMeta":true,"message":{"content":[{"type":"text","text":"Review the …"}]},"uuid":"m"}`,
			answer("a", "m", "1", textBlock("looks good")),
		}, `0 "/review lsp 12" "looks good"`},
		{"a slash command that Claude Code carries out", []string{
			prompt("p", "", `"<command-name>/model</command-name>\n<command-args></command-args>"`),
			prompt("q", "p", `"<local-command-stdout>Set model</local-command-stdout>"`),
			prompt("r", "q", `"hello"`),
		}, `0 "hello" ""`},
		{"a slash command that nothing answered", []string{
			prompt("p", "", `"<command-name>plan</command-name>"`), prompt("q", "p", `"hello"`),
		}, "0 \"/plan\" \"\"\n1 \"hello\" \"\""},
		{"blocks and growing states of one message", []string{
			ask, answer("a", "p", "m1", textBlock("I will")), answer("b", "a", "m1", textBlock("I will look.")), answer("c", "b", "m1", textBlock("I")),
			answer("d", "c", "m1", textBlock("Then fix.")), answer("e", "d", "m2", textBlock("I will")),
		}, `0 "ask" "I will look.\n\nThen fix.\n\nI will"`},
		{"a call grows, and a copied record counts once", []string{
			ask,
			answer("a", "p", "m1", `{"type":"tool_use","id":"t","name":"Bash","input":{}}`),
			answer("a", "p", "m1", `{"type":"tool_use","id":"t","name":"Bash","input":{"command":"go test","description":"again"}}`),
			prompt("q", "a", `"next"`), ask, answer("a", "p", "m1", textBlock("old")),
		}, "0 \"ask\" \"\" Bash go test\n1 \"next\" \"\""},
		{"tools and what failed", []string{
			ask,
			answer("a", "p", "m", `{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"1","name":"Edit","input":{"file_path":"/x/a.go","old_string":"q"}},{"type":"tool_use","id":"2","name":"Grep","input":{"pattern":"f.*o","path":"/x"}},{"type":"tool_use","id":"3","name":"Task","input":{"subagent_type":"Explore","description":"look around","prompt":"long"}},{"type":"tool_use","id":"4","name":"mcp__tidepool__search_conversations","input":{"query":"old"}},{"type":"server_tool_use","id":"5","name":"web_search","input":{"query":"w"}}`),
			prompt("r", "a", `[{"type":"tool_result","tool_use_id":"1","is_error":true,"content":[{"type":"text","text":"<tool_use_error>String not found\nin file</tool_use_error>"}]},{"type":"tool_result","tool_use_id":"4","is_error":true,"content":"unknown session; nearest: Secret plans"}]`),
			`{"type":"user","toolDenialKind":"hook","message":{"content":[{"type":"tool_result","tool_use_id":"2","is_error":true,"content":"no, says the policy"}]},"uuid":"s","parentUuid":"r"}`,
		}, `0 "ask" "" Edit /x/a.go String not found Grep /x f.*o denied (hook) Task Explore look around mcp__tidepool__search_conversations failed web_search`},
		{"a compaction goes on", []string{
			ask, answer("a", "p", "m", textBlock("one")),
			`{"type":"system","subtype":"compact_boundary","parentUuid":null,"logicalParentUuid":"not here","uuid":"c","content":"Conversation compacted"}`,
			`{"type":"user","isCompactSummary":true,"parentUuid":"c","message":{"content":"This session"},"uuid":"d"}`,
			prompt("q", "d", `"two"`),
		}, "0 \"ask\" \"one\"\n1 \"two\" \"\""},
		{"a compaction of former versions, without a boundary", []string{
			ask, `{"type":"user","isCompactSummary":true,"parentUuid":null,"message":{"content":"This session"},"uuid":"d"}`, prompt("q", "d", `"two"`),
		}, "0 \"ask\" \"\"\n1 \"two\" \"\""},
		{"rewound by one turn", []string{
			ask, answer("a", "p", "m", textBlock("one")), prompt("q", "a", `"wrong"`), answer("b", "q", "n", textBlock("oh")),
			`{"type":"progress","parentUuid":"a","uuid":"x"}`, prompt("r", "x", `"right"`),
		}, "0 \"ask\" \"one\"\n- 1 \"wrong\" \"oh\"\n2 \"right\" \"\""},
		{"rewound to the start", []string{ask, prompt("q", "p", `"b"`), prompt("r", "", `"c"`)}, "- 0 \"ask\" \"\"\n- 1 \"b\" \"\"\n2 \"c\" \"\""},
		{"a hook at a resumption", []string{
			ask, `{"type":"attachment","attachment":{"type":"hook_success"},"parentUuid":null,"uuid":"h"}`, prompt("q", "h", `"b"`),
		}, "0 \"ask\" \"\"\n1 \"b\" \"\""},
		{"an image behind a reminder", []string{
			prompt("p", "", `[{"type":"text","text":"<system-reminder>x</system-reminder>"},{"type":"image","source":{"data":"QUJD"}}]`),
		}, `0 "[image]" ""`},
		{"what machinery added behind a prompt", []string{
			prompt("p", "", `"go on\n<user-prompt-submit-hook>ctx</user-prompt-submit-hook>\n<ide_selection file=\"a\">b</ide_selection>"`),
			prompt("q", "p", `"what is </system-reminder>"`), prompt("r", "q", `"<b>x</b>"`),
		}, "0 \"go on\" \"\"\n1 \"what is </system-reminder>\" \"\"\n2 \"<b>x</b>\" \"\""},
		{"a lost parent", []string{ask, prompt("q", "gone", `"b"`)}, "0 \"ask\" \"\"\n1 \"b\" \"\""},
		{"an error of the API is told, other made-up messages are not", []string{
			ask,
			`{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]},"uuid":"a","parentUuid":"p"}`,
			`{"type":"assistant","isApiErrorMessage":true,"message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error: 529"}]},"uuid":"b","parentUuid":"a"}`,
		}, `0 "ask" "API Error: 529"`},
		{"what the archive handed out", []string{
			ask, answer("a", "p", "m", textBlock("as said: <memory-data id=1>old\nwords</memory-data>\nnew words")),
		}, `0 "ask" "as said: \nnew words"`},
		{"an answer before the first prompt, and one as a string", []string{
			answer("z", "", "m", textBlock("stray")), ask, `{"type":"assistant","message":{"content":"plain"},"uuid":"b","parentUuid":"p"}`,
		}, `0 "ask" "plain"`},
		{"bad characters", []string{prompt("p", "", "\"a\xffb\\ud83d\\ude00\\ud800c\"")}, `0 "a` + "\uFFFD" + `b😀` + "\uFFFD" + `c" ""`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := readAll(claude(), "s", []byte(strings.Join(test.lines, "\n")))
			if got := strings.TrimSpace(outline(r.Take())); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if n := r.Info().Unreadable; n != 0 {
				t.Errorf("%d lines unreadable", n)
			}
		})
	}
}

func TestTitles(t *testing.T) {
	lines := []string{
		prompt("o", "", `"<command-name>/model</command-name>"`), prompt("l", "o", `"<local-command-stdout></local-command-stdout>"`),
		prompt("p", "l", `"first line\nsecond"`),
	}
	for _, step := range []struct{ line, want string }{
		{`{"type":"mode"}`, "first line"},
		{`{"type":"agent-name","agentName":"an agent"}`, "an agent"},
		{`{"type":"summary","summary":"a summary","leafUuid":"x"}`, "a summary"},
		{`{"type":"ai-title","aiTitle":"a model's"}`, "a model's"},
		{`{"type":"summary","summary":"too late"}`, "a model's"},
		{`{"type":"custom-title","customTitle":"mine"}`, "mine"},
		{`{"type":"custom-title","customTitle":"renamed"}`, "renamed"},
	} {
		lines = append(lines, step.line)
		if got := readAll(claude(), "s", []byte(strings.Join(lines, "\n"))).Info().Title; got != step.want {
			t.Errorf("after %s: %q, want %q", step.line, got, step.want)
		}
	}
}

func TestLinesAreCounted(t *testing.T) {
	r := readAll(claude(), "s", []byte(strings.Join([]string{
		prompt("p", "", `"ask"`), "", "\x00\x00\x00", `{"type":"user","message":{"content":"torn`, `[1]`, `{"type":"user"}{"a":1}`,
		`{"type":"mode","mode":"normal"}`, `{"no":"type"}`, `{"type":"brand-new"}`,
	}, "\n")))
	r.PassedOver(5, 100)
	if i := r.Info(); i.Unreadable != 6 || i.Skipped != 3 {
		t.Errorf("%d unreadable, %d skipped", i.Unreadable, i.Skipped)
	}
}

func TestForkKeepsTheFirstSession(t *testing.T) {
	r := readAll(claude(), "fork", []byte(prompt("p", "", `"ask"`)+"\n"+strings.ReplaceAll(prompt("q", "p", `"on"`), `"s"`, `"fork"`)))
	turns := r.Take()
	if turns[0].Session != "s" || turns[1].Session != "fork" || r.Info().Parent != "s" {
		t.Errorf("%+v %+v", turns, r.Info())
	}
}

func TestLimitsAreCounted(t *testing.T) {
	lines := []string{
		prompt("p", "", `"`+strings.Repeat("é", MaxUser/2+3)+`"`),
		answer("a", "p", "m", textBlock(strings.Repeat("a", MaxAnswer-1))), answer("b", "a", "n", textBlock("bcd")),
		answer("c", "b", "o", `{"type":"tool_use","id":"t","name":"Bash","input":{"command":"`+strings.Repeat("x", MaxCommand+7)+`"}}`),
	}
	got := readAll(claude(), "s", []byte(strings.Join(lines, "\n"))).Take()[0]
	if len(got.User) != MaxUser || len(got.Tools[0].Command) != MaxCommand || got.Cut != 6+2+7 || !strings.HasSuffix(got.Answer, "a\n\nb") {
		t.Errorf("%d bytes of prompt, %d of answer, %d cut", len(got.User), len(got.Answer), got.Cut)
	}
}

func TestClaudeFiles(t *testing.T) {
	for rel, want := range map[string]File{
		"-home-x/0a.jsonl":                               {Session: "0a", Group: "-home-x"},
		"-home-x/agent-1.jsonl":                          {Session: "agent-1", Sidechain: true, Group: "-home-x"},
		"-home-x/0a/subagents/agent-2.jsonl":             {Session: "agent-2", Parent: "0a", Sidechain: true, Group: "-home-x"},
		"-home-x/0a/subagents/workflows/w/agent-3.jsonl": {Session: "agent-3", Parent: "0a", Sidechain: true, Group: "-home-x"},
		"-home-x/0a/subagents/journal.jsonl":             {},
		"-home-x/0a/subagents/workflows/w/journal.jsonl": {},
		"-home-x/0a/tool-results/b.jsonl":                {},
		"-home-x/0a.txt":                                 {},
		"0a.jsonl":                                       {},
		"-home-x/.jsonl":                                 {},
	} {
		if got, ok := claudeFile(rel); got != want || ok != (want != File{}) {
			t.Errorf("%s: %+v %v", rel, got, ok)
		}
	}
	for rel, want := range map[string]bool{
		"-home-x": true, "-home-x/0a": true, "-home-x/0a/subagents": true, "-home-x/0a/tool-results": false,
		"-home-x/0a/subagents/workflows": true, "-home-x/0a/subagents/other": false, "-home-x/0a/subagents/workflows/w": true,
		"-home-x/0a/subagents/workflows/w/x": false,
	} {
		if got := claudeDir(rel); got != want {
			t.Errorf("%s: %v", rel, got)
		}
	}
	if got := claudeRoot("/home/x", func(string) string { return "" }); got != "/home/x/.claude/projects" {
		t.Error(got)
	}
	if got := claudeRoot("/home/x", func(string) string { return "/cfg" }); got != "/cfg/projects" {
		t.Error(got)
	}
}
