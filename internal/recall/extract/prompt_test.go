package extract_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tidepool/internal/recall/extract"
	"tidepool/internal/recall/memory"
)

func TestTyped(t *testing.T) {
	for _, test := range []struct{ name, prompt, want string }{
		{"nothing", "", ""},
		{"words", "fix the test", "fix the test"},
		{"a private part", "a <private>b</private> c", "a  c"},
		{"a private part in other letters", "a < PRIVATE >b</ Private > c", "a  c"},
		{"one within another", "a <private>b <private>c</private> d</private> e", "a  e"},
		{"a private part without an end", "a <private>b c", "a"},
		{"an end alone", "a </private> b", "a </private> b"},
		{"own memories", "a\n<memory-data>\n[fix] b\n</memory-data>\nc", "a\n\nc"},
		{"a reminder", "<system-reminder>b</system-reminder>\na", "a"},
		{"a word in brackets", "rename <file> to <name>", "rename <file> to <name>"},
		{"an attached file", "<file path=\"a\">always b</file> c", "c"},
		{"a fence", "a\n```go\nb\n```\nc", "a\n\nc"},
		{"a fence without an end", "a\n~~~\nb", "a"},
		{"a quote", "a\n> b\nc d e", "a\nc d e"},
		{"indented code", "a b\n    x := 1\nthis is prose again", "a b\nthis is prose again"},
		{"a list", "- always a\n  - never b", "- always a\n  - never b"},
		{"a log", "2026-03-01 10:00:00 never b\nwhat is it", "what is it"},
		{"a shell", "$ never b\nwhat does it mean", "what does it mean"},
		{"an image", "[Image #1] what is it", "what is it"},
	} {
		if got := extract.Typed(test.prompt); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A preference is quoted as it was typed, from wherever it stands in a prompt.
func TestPreferencesAreQuoted(t *testing.T) {
	for _, test := range []struct{ prompt, want string }{
		{"Fix the login page. Always use pnpm in web, e.g. for v1.2 of it. Thanks!", "Always use pnpm in web, e.g. for v1.2 of it."},
		{"please\n\n* Never commit to main!\n\nand continue", "Never commit to main!"},
		{"I’d say don’t ever push without tests", ""},
		{"from now on use “curly” quotes", "from now on use “curly” quotes"},
		{"Always use a name that\nis longer than three letters.\nOk?", "Always use a name that is longer than three letters."},
		{strings.Repeat("Always use pnpm and more words. ", 1), "Always use pnpm and more words."},
		{"Always " + strings.Repeat("use more words and ", 20) + "end.", ""},
	} {
		got := ""
		if drafts := extract.FromPrompt(test.prompt); len(drafts) > 0 {
			got = drafts[0].Content
		}
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.prompt, got, test.want)
		}
	}
}

// A prompt of many rules is a document: what does not say itself that it lasts is told only after a second time.
func TestALongPromptIsADocument(t *testing.T) {
	long := strings.Repeat("The form has a field for the name of the customer and one for the address. ", 50)
	drafts := extract.FromPrompt(long + "\n\nAlways show an error below the field.\n\nFrom now on answer in English.")
	if len(drafts) != 2 || !drafts[0].Twice || drafts[1].Twice {
		t.Errorf("got %+v", drafts)
	}
	if drafts := extract.FromPrompt(strings.Repeat("Never use globals. ", 20)); len(drafts) != 5 {
		t.Errorf("%d memories of one prompt", len(drafts))
	}
}

func TestForAllProjects(t *testing.T) {
	for prompt, want := range map[string]memory.Scope{
		"In all my projects, use conventional commits.": memory.ForUser, "Always use conventional commits.": memory.ForProject,
	} {
		if drafts := extract.FromPrompt(prompt); len(drafts) != 1 || drafts[0].Scope != want {
			t.Errorf("%s: %+v", prompt, drafts)
		}
	}
}

func TestCorrections(t *testing.T) {
	for _, test := range []struct {
		prompt string
		edited bool
		want   string
	}{
		{"No, keep the old name of the field.", true, "No, keep the old name of the field."},
		{"no. Put it into the handler instead.", true, "no. Put it into the handler instead."},
		{"Actually, the lock belongs to the caller.", true, "Actually, the lock belongs to the caller."},
		{"I said three retries, not five", true, "I said three retries, not five"},
		{"that's not what I meant, only the tests", true, "that's not what I meant, only the tests"},
		{"No, keep the old name of the field.", false, ""},
		{"no problem, please go on with the next", true, ""},
		{"No, that's fine as it is", true, ""},
		{"actually looks good, commit it now please", true, ""},
		{"No tests fail now, what is next", true, ""},
		{"Actually, can you explain why it waits?", true, ""},
		{"wrong", true, ""},
		{"now add the second field to the form", true, ""},
	} {
		c := conversation(t, "")
		if test.edited {
			c.Tool(edit("form.go"))
		}
		got := ""
		for _, d := range c.Prompt(test.prompt, now()) {
			if got = d.Content; !d.Twice || d.Trust != memory.Observed || len(d.Files) != 1 || d.Files[0] != "form.go" {
				t.Errorf("%s: %+v", test.prompt, d)
			}
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.prompt, got, test.want)
		}
	}
}

// A prompt that a model wrote for its subagent has no preference of a person.
func TestASubagentsPromptIsNoPersons(t *testing.T) {
	c := conversation(t, "agent-1")
	if got := c.Prompt("Always use pnpm in web.", now()); len(got) > 0 {
		t.Errorf("got %+v", got)
	}
	c.Tool(edit("a.go"))
	if got := c.Summary(); len(got) > 0 {
		t.Errorf("a subagent replaces the session's summary: %+v", got)
	}
}

// checkDrafts checks what holds for the memories of any prompt.
func checkDrafts(t interface{ Fatalf(string, ...any) }, prompt string, drafts []memory.Draft) {
	typed := strings.Join(strings.Fields(extract.Typed(prompt)), " ")
	for _, d := range drafts {
		switch {
		case utf8.ValidString(prompt) && !strings.Contains(strings.ReplaceAll(typed, "- ", ""), strings.ReplaceAll(strings.Join(strings.Fields(d.Content), " "), "- ", "")) && !strings.ContainsAny(prompt, "*•0123456789"):
			t.Fatalf("%q is not in what was typed, %q", d.Content, typed)
		case utf8.RuneCountInString(d.Content) > 300 || strings.ContainsAny(d.Content, "\n\r"):
			t.Fatalf("%q is no line of 300 characters", d.Content)
		case strings.HasSuffix(d.Content, "?") && d.Trust == memory.Said && !strings.Contains(strings.ToLower(d.Content), "k?"):
			t.Fatalf("%q is a question", d.Content)
		}
	}
	if len(drafts) > 5 {
		t.Fatalf("%d memories", len(drafts))
	}
}

// Whatever stands in a private part changes nothing.
func TestPrivatePartsAreNotRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.StringMatching(`[a-z ,.\n]{0,40}`).Draw(t, "before")
		hidden := rapid.StringMatching(`[A-Za-z ,.!\n>/]{0,60}`).Draw(t, "hidden")
		after := rapid.StringMatching(`[a-z ,.\n]{0,40}`).Draw(t, "after")
		with := extract.Typed(before + "<private>Always use " + hidden + "</private>" + after)
		if without := extract.Typed(before + after); strings.Join(strings.Fields(with), "") != strings.Join(strings.Fields(without), "") {
			t.Fatalf("%q, without the private part %q", with, without)
		}
	})
}

func FuzzFromPrompt(f *testing.F) {
	for _, name := range []string{"prompts-seen.jsonl", "prompts-kept.jsonl"} {
		for _, p := range labelled[struct{ Text string }](f, name) {
			f.Add(p.Text)
		}
	}
	f.Fuzz(func(t *testing.T, prompt string) {
		checkDrafts(t, prompt, extract.FromPrompt(prompt))
		c := conversation(t, "")
		c.Tool(edit("a.go"))
		c.Prompt(prompt, now())
		c.Tool(bash(prompt, 1, prompt))
		c.Tool(edit("b.go"))
		c.Tool(bash(prompt, 0, prompt))
		c.Summary()
	})
}

// A prompt of 2 KB, and one of 1 MB of which the most was pasted.
func BenchmarkFromPrompt(b *testing.B) {
	sentence := "Please look at the queue, it always fails in CI and we never saw why. Don't change the API yet. "
	for name, prompt := range map[string]string{"2KB": strings.Repeat(sentence, 20), "1MB": strings.Repeat(sentence+"\n", 10_000)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				extract.FromPrompt(prompt)
			}
		})
	}
}
