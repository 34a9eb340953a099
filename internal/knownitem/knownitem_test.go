package knownitem

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestEvaluate(t *testing.T) {
	queries := []Query{{Text: "a", Turn: 1}, {Text: "b", Turn: 2}, {Text: "c", Turn: 9}, {Text: "d", Turn: 3}}
	answers := map[string][]int{"a": {1, 2}, "b": {5, 2}, "c": {1, 2, 3, 4, 5, 9}}
	got := Evaluate(queries, func(query string, most int) []int {
		if most != depth {
			t.Errorf("asked for %d", most)
		}
		return answers[query]
	})
	if want := (Score{Queries: 4, First: 0.25, Five: 0.5, Mean: (1 + 1.0/2 + 1.0/6) / 4}); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
}

func TestDialogues(t *testing.T) {
	set := Dialogues()
	if len(set.Queries) < 200 || len(set.Half(true)) != len(set.Half(false)) {
		t.Errorf("%d queries", len(set.Queries))
	}
	checkSet(t, set)
	if again := Dialogues(); !slices.Equal(again.Queries, set.Queries) {
		t.Error("the second time, queries differ")
	}
}

func TestHistory(t *testing.T) {
	dir := t.TempDir()
	if _, err := History(t.Context(), dir); err == nil {
		t.Error("a directory without history has none")
	}
	importCommits(t, dir, historyCommits+5)
	set, err := History(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	checkSet(t, set)
	if len(set.Turns) != historyCommits || len(set.Queries) != historyCommits*9/10 {
		t.Errorf("%d turns, %d queries", len(set.Turns), len(set.Queries))
	}
	want := Turn{Prompt: "It stopped at step 17.", Prose: "Nobody waited for it.", Code: "step 17\n", Files: []string{"log"}}
	if got := set.Turns[17]; got.Prompt != want.Prompt || got.Prose != want.Prose || got.Code != want.Code || !slices.Equal(got.Files, want.Files) {
		t.Errorf("%+v", got)
	}
	if got := set.Queries[16]; got != (Query{Text: "wait for the end of 18", Turn: 18, Tuning: true}) {
		t.Errorf("%+v", got)
	}
}

func TestHistoryThatIsShort(t *testing.T) {
	dir := t.TempDir()
	importCommits(t, dir, 100)
	if _, err := History(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "fetch all of it") {
		t.Errorf("%v", err)
	}
}

// importCommits makes a repository of n commits that each change one file. One of ten has no body.
func importCommits(t *testing.T, dir string, n int) {
	t.Helper()
	var stream strings.Builder
	for i := range n {
		message := fmt.Sprintf("log, step: wait for the end of %d\n", i)
		if i%10 > 0 {
			message += fmt.Sprintf("\nIt stopped at\nstep %d. Nobody waited for it.\n", i)
		}
		file := fmt.Sprintf("step %d\n", i)
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter A <a@example.com> %d +0000\ndata %d\n%s", 1e9+i, len(message), message)
		fmt.Fprintf(&stream, "M 100644 inline log\ndata %d\n%s\n", len(file), file)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"fast-import", "--quiet"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Stdin = strings.NewReader(stream.String())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// checkSet holds that each query is about a turn of its own which does not have it, and that nothing is left to fill in.
func checkSet(t *testing.T, set Set) {
	t.Helper()
	asked := map[int]bool{}
	for _, q := range set.Queries {
		turn := set.Turns[q.Turn]
		text := turn.Prompt + "\n" + turn.Prose
		if asked[q.Turn] || q.Text == "" || turn.Prompt == "" || strings.Contains(text, q.Text) && strings.Count(q.Text, " ") > 3 {
			t.Errorf("%q asks for %q", q.Text, text)
		}
		if strings.ContainsAny(q.Text+turn.Prompt, "{}") && set.Name == "dialogues" {
			t.Errorf("%q or %q is not filled in", q.Text, turn.Prompt)
		}
		asked[q.Turn] = true
	}
	for _, q := range set.Shortened().Queries {
		if len(strings.Fields(q.Text)) != 3 {
			t.Errorf("%q has not three words", q.Text)
		}
	}
}

func TestPlainRanksByWordsOfOneText(t *testing.T) {
	p := NewPlain([]Turn{{Prompt: "the gateway"}, {Prose: "gateway gateway"}, {Code: "retry_gateway", Files: []string{"gateway"}}, {Prompt: "x"}})
	if got := p.Rank("The Gateway", 10); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("%v", got)
	}
	if got := p.Rank("retry_gateway", 10); !slices.Equal(got, []int{2}) {
		t.Errorf("%v", got)
	}
	if got := p.Rank("the", 10); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// The ranking finds a tenth more of the dialogues than that of conversation-search.
func TestCompare(t *testing.T) {
	found, err := Compare(Dialogues())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range found {
		t.Logf("%s: %+v, plain %+v", c.Set, c.Ours, c.Plain)
		if c.Ours.Queries < 200 || c.Ours.First < c.Plain.First+0.1 || c.Ours.Five < c.Plain.Five+0.1 || c.Ours.Mean < c.Plain.Mean+0.1 {
			t.Errorf("%s: %+v, plain %+v", c.Set, c.Ours, c.Plain)
		}
	}
	if len(found) != 2 {
		t.Errorf("%d sets", len(found))
	}
}
