package quality

import (
	"slices"
	"strings"
	"testing"

	"tidepool/internal/knownitem"
	"tidepool/internal/recall/evidence"
)

// The figures of the made dialogues must not fall: they are what can be measured without the public sets. Measured: right .26 of 150,
// silent .94, .97 and 1.
func TestMadeDialoguesHoldTheirFigures(t *testing.T) {
	trial, err := Program(t.Context(), knownitem.Dialogues(), false)
	if err != nil {
		t.Fatal(err)
	}
	c := evidence.Fitted()
	tally, err := Tell([]Trial{trial}, &c)
	if err != nil {
		t.Fatal(err)
	}
	if got := tally.RightShare(); got < .18 {
		t.Errorf("%.3f of %d questions are told the right memory", got, tally.Questions)
	}
	if len(tally.Silences) != 3 {
		t.Fatalf("%d kinds of prompts want silence", len(tally.Silences))
	}
	for _, s := range tally.Silences {
		if s.Share() < .85 || s.Prompts < 40 {
			t.Errorf("%s: %.3f of %d are silent", s.Kind, s.Share(), s.Prompts)
		}
	}
}

// What a person would expect at once: the memory that is about a prompt is told in a store of three as among hundreds, and nothing where
// nothing is asked.
func TestFixIsToldAndContinueIsNot(t *testing.T) {
	few := []string{
		"TestDrainOrder raced because Stop closed the channel before the last worker returned. go test ./queue passes now.",
		"Always use pnpm in web, never npm.",
		"The importer reads CSV files with a byte order mark since the header was cut wrongly.",
	}
	many := knownitem.Dialogues()
	for _, size := range []int{0, len(many.Turns)} {
		set := knownitem.Set{Turns: slices.Clone(many.Turns[:size])}
		for _, text := range few {
			set.Turns = append(set.Turns, knownitem.Turn{Prompt: text})
		}
		trial, err := Program(t.Context(), set, false)
		if err != nil {
			t.Fatal(err)
		}
		for prompt, want := range map[string]string{
			"TestDrainOrder is flaky again, please fix it":         few[0],
			"why does the CSV importer choke on byte order marks?": few[2],
			"continue": "", "thanks, looks good": "", "run the tests again": "", "": "",
		} {
			if got := first(t, trial.Store, prompt); !strings.HasPrefix(got, want) || (want == "") != (got == "") {
				t.Errorf("among %d, %q is told %q", size, prompt, got)
			}
		}
	}
}

// first returns the first memory that a prompt is told, "" for none.
func first(t *testing.T, s *Store, prompt string) string {
	c := evidence.Fitted()
	r, err := s.Rank(prompt, nil, forPrompt, &c)
	if err != nil {
		t.Fatal(err)
	}
	if told := told(&r, &c); len(told) > 0 {
		return s.memories[told[0]].Content
	}
	return ""
}

func TestEntriesOfAChangelog(t *testing.T) {
	page := "# Changelog\n\n1.0 2026-05-04\n---\n\n- inotify: fix a race\n  on close ([#7], [#8])\n\n[#7]: https://x\n\n - 2026-01-01 v2:\n     - **Faster** [reads](https://y).\n"
	want := []string{"inotify: fix a race on close", "**Faster** reads."}
	got := entries(page)
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%q, not %q", got, want)
	}
}

// Both sets have the same turns in other spellings.
func TestDialoguesAreRead(t *testing.T) {
	locomo, err := readLoCoMo("", []byte(`{"sample_id":"conv-1","conversation":{"speaker_a":"Ann","speaker_b":"Ben",
		"session_1_date_time":"1:56 pm on 8 May, 2023","session_1":[{"speaker":"Ann","dia_id":"D1:1","text":"I bought a kayak.","blip_caption":"a boat"}],
		"session_2_date_time":"9:00 am on 9 May, 2023","session_2":[{"speaker":"Ben","dia_id":"D2:1","text":"Nice."}]},
		"qa":[{"question":"What did Ann buy?","evidence":["D1:1; D2:1"],"category":4},{"question":"Lost?","evidence":["D9:9"],"category":4},
		{"question":"What did Ben buy?","evidence":["D1:1"],"category":5}]}`))
	if err != nil {
		t.Fatal(err)
	}
	real, err := readRealTalk("Chat_1.json", []byte(`{"name":{"speaker_1":"Ann Lee","speaker_2":"ben"},
		"session_1_date_time":"08.05.2023, 13:56:00","session_1":[{"speaker":"Ann","dia_id":"D4:1","clean_text":"I bought a kayak.","blip_caption":["a boat"]}],
		"session_2_date_time":"09.05.2023, 09:00:00","session_2":[{"speaker":"Ben","dia_id":"D4:2","clean_text":"Nice."}],
		"qa":[{"question":"What did Ann buy?","evidence":["D4:1","D4:2"],"category":"1"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []Dialogue{locomo, real} {
		if d.People != [2]string{"Ann", "Ben"} || len(d.Memories) != 2 || d.Memories[0].Content != "Ann: I bought a kayak. (photo: a boat)" {
			t.Errorf("%+v", d)
		}
		if len(d.Questions) != 1 || !slices.Equal(d.Questions[0].Sessions, []string{d.Name + "/1", d.Name + "/2"}) || !slices.Equal(d.Questions[0].Turns, []int{0, 1}) {
			t.Errorf("%+v", d.Questions)
		}
		if d.Memories[0].Created.Format("2006-01-02") != "2023-05-08" {
			t.Errorf("of %v", d.Memories[0].Created)
		}
	}
}
