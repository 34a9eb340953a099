package quote

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidepool/internal/conversation"
)

func TestLines(t *testing.T) {
	now := time.Date(2025, 11, 20, 0, 30, 0, 0, time.FixedZone("here", 2*60*60))
	const uuid = "3f2a91c0-1111-4222-8333-444455556666"
	for got, want := range map[string]string{
		Line("a\n\x1b[2J b", 10):                 "a ␛[2J b",
		Line("abcdef", 4):                        "abc…",
		ID(uuid):                                 "3f2a91c0",
		ID("agent-a1b2c3d4"):                     "agent-a1b2c3d4",
		Path("/home/ann/src/shop", "/home/ann"):  "~/src/shop",
		Path("/home/annabel/shop", "/home/ann"):  "/home/annabel/shop",
		Path("/home/ann", "/home/ann"):           "~",
		Path("/srv\x1b/shop", ""):                "/srv␛/shop",
		Day(now.Add(-time.Hour), now):            "19 Nov",
		Day(now.Add(-2*time.Hour).UTC(), now):    "19 Nov",
		Day(now.AddDate(-1, 0, 0), now):          "20 Nov 2024",
		Day(time.Time{}, now):                    "",
		Title("say \"hi\"\n(x)"):                 `"say 'hi' (x)"`,
		Resume(uuid):                             "claude --resume " + uuid,
		Resume("--dangerously-skip-permissions"): "",
		Resume("a; rm -rf /"):                    "",
		ResumeIn("/home/ann/it's here", "s1"):    `cd '/home/ann/it'\''s here' && claude --resume s1`,
		ResumeIn("/srv/shop", "s1"):              "cd /srv/shop && claude --resume s1",
		ResumeIn("/srv/a\x1bb", "s1"):            "",
		ToolLine(conversation.Tool{Name: "Write", File: "a", Chars: 3}):                     "Write a (3 characters)",
		ToolLine(conversation.Tool{Name: "Bash", Command: "go\ttest", Error: "exit 1\nno"}): "Bash go test failed: exit 1 no",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestShellReadsTheDirectoryBack gives words to a real shell.
func TestShellReadsTheDirectoryBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir := rapid.StringMatching(`[ -~äß]{1,20}`).Draw(t, "dir")
		out, err := exec.Command("/bin/sh", "-c", "printf %s "+inShell(dir)).Output()
		if err != nil || string(out) != dir {
			t.Fatalf("%q comes back as %q: %v", dir, out, err)
		}
	})
}

// TestMarkdownQuotesEveryLine whatever was said: no line of a conversation looks like one of the page's own.
func TestMarkdownQuotesEveryLine(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"\n# Turn 9\n", "\n## Turn 3\r\n", "```", "\r", "\u2028# x", "\n\n**User**\n", "\x1b[2J", "> a"}))
		return strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "pieces"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		var page strings.Builder
		m := &Markdown{Out: &page}
		err := errors.Join(m.Head(conversation.Summary{Session: text.Draw(t, "session"), Title: text.Draw(t, "title"), Cwd: text.Draw(t, "cwd")}),
			m.Turn(conversation.Turn{Number: 3, User: text.Draw(t, "user"), Answer: text.Draw(t, "answer"), Tools: []conversation.Tool{{Name: "Bash", Command: text.Draw(t, "command")}}}))
		if err != nil {
			t.Fatal(err)
		}
		headings := 0
		for line := range strings.SplitSeq(page.String(), "\n") {
			if strings.HasPrefix(line, "#") {
				headings++
				continue
			}
			own := line == "" || line == "**User**" || line == "**Claude**" || line == "Tools:"
			if !own && !strings.HasPrefix(line, "> ") && line != ">" && !strings.HasPrefix(line, "* ") {
				t.Fatalf("a line of its own: %q in\n%s", line, page.String())
			}
		}
		if headings != 2 || strings.ContainsAny(page.String(), "\x1b\r\u2028") {
			t.Fatalf("%d headings in\n%s", headings, page.String())
		}
	})
}

func TestMarkdownPage(t *testing.T) {
	var page strings.Builder
	m := &Markdown{Out: &page}
	at := time.Date(2025, 11, 3, 14, 2, 0, 0, time.UTC)
	if err := m.Head(conversation.Summary{Session: "s1", Title: "a *b*", Cwd: "/srv/`x", Source: "claude", First: at, Last: at, Turns: 1}); err != nil {
		t.Fatal(err)
	}
	if err := m.Turn(conversation.Turn{At: at, User: "why?\n# no heading", Answer: "so", Tools: []conversation.Tool{{Name: "Read", File: "a.go"}}, Abandoned: true}); err != nil {
		t.Fatal(err)
	}
	const want = "# a \\*b\\*\n\n* session: `s1`\n* directory: ``/srv/`x``\n* program: `claude`\n* from: `2025-11-03 14:02 UTC`\n* to: `2025-11-03 14:02 UTC`\n* turns: `1`\n" +
		"\n## Turn 0, 2025-11-03 14:02 UTC (abandoned)\n\n**User**\n\n> why?\n> # no heading\n\n**Claude**\n\n> so\n\nTools:\n\n* `Read a.go`\n"
	if page.String() != want {
		t.Errorf("got\n%s\nwant\n%s", page.String(), want)
	}
}
