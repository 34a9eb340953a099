package intent

import (
	"strings"
	"testing"
)

func TestAround(t *testing.T) {
	s, err := ParseSurroundings(strings.NewReader("# none\n[before]\nHello,\n\n[behind]\nThanks.\n[behind a change]\nWhat breaks?\n"))
	if err != nil {
		t.Fatal(err)
	}
	examples := []Example{{Text: "F goes", Kind: "delete"}, {Text: "F dies!", Kind: "delete"}, {Text: "what is F", Kind: "other"}}
	var got []string
	for _, e := range s.Around(examples) {
		got = append(got, e.Text)
	}
	want := []string{"F goes", "Hello, F goes", "F dies!", "F dies! What breaks?", "what is F", "Hello, what is F. Thanks."}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := ParseSurroundings(strings.NewReader("Hello,\n")); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("a sentence in no section: %v", err)
	}
	if _, err := TrainingExamples(t.TempDir()); err == nil || !strings.Contains(err.Error(), "training.txt") {
		t.Errorf("a directory without files: %v", err)
	}
}

// A question means the same with sentences around it that say nothing of the
// change, none of which is trained on.
func TestSentencesAroundAQuestion(t *testing.T) {
	before := []string{"I am new to this project.", "Ticket ABC-1234.", "The code was written in 2017 and nobody remembers why."}
	behind := []string{"Give me file and line of each.", "What is the blast radius?", "Which code stops compiling?", "Thanks!"}
	read, same := 0, 0
	for _, e := range corpus(t, "heldout.txt") {
		kind := Read(e.Text, e.Subject).Kind
		if kind != e.Kind || kind == "other" {
			continue
		}
		texts := make([]string, 0, len(before)+len(behind))
		for _, b := range before {
			texts = append(texts, b+" "+e.Text)
		}
		for _, b := range behind {
			texts = append(texts, sentenceEnd(e.Text)+" "+b)
		}
		for _, text := range texts {
			read++
			if Read(text, e.Subject).Kind == kind {
				same++
			}
		}
	}
	share := float64(same) / float64(read)
	t.Logf("%d of %d read the same, %.3f", same, read, share)
	if share < 0.97 {
		t.Errorf("%.3f are read the same, want at least 0.97", share)
	}
}
