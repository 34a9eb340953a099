package ask

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestAccepts(t *testing.T) {
	choice := Question{Kind: Select, Options: []Option{{"a", "Use Postgres"}, {"b", "Use SQLite"}}, Free: true}
	strict := Question{Kind: Select, Options: choice.Options}
	for _, test := range []struct {
		q    Question
		r    Reply
		want Reply
		fits bool
	}{
		{confirm("?"), Reply{Choice: "Y"}, Reply{Choice: Yes}, true},
		{confirm("?"), Reply{Choice: "cancel"}, Reply{Choice: No}, true},
		{confirm("?"), Reply{Choice: "maybe"}, Reply{Text: "maybe"}, false},
		{confirm("?"), Reply{}, Reply{}, false},
		{choice, Reply{Choice: "b"}, Reply{Choice: "b"}, true},
		{choice, Reply{Choice: "use sqlite"}, Reply{Choice: "b"}, true},
		{choice, Reply{Text: " neither\x1b[2J "}, Reply{Text: "neither␛[2J"}, true},
		{choice, Reply{Choice: "neither"}, Reply{Text: "neither"}, true},
		{choice, Reply{Text: " "}, Reply{}, false},
		{strict, Reply{Text: "neither"}, Reply{Text: "neither"}, false},
	} {
		if got, fits := test.q.accepts(test.r); got != test.want || fits != test.fits {
			t.Errorf("%+v to %+v: %+v %v", test.r, test.q.Options, got, fits)
		}
	}
}

// TestPlainHoldsNothingThatATerminalObeys for texts with everything in them.
func TestPlainHoldsNothingThatATerminalObeys(t *testing.T) {
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"\x1b[2J", "\x1b]0;title\a", "\r", "\u202e", "\x9b31m", "\xff", "\u2028", "\x00", "\x7f", "a\nb"}))
	rapid.Check(t, func(t *rapid.T) {
		got := Plain(strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), ""))
		if !utf8.ValidString(got) {
			t.Fatalf("%q is no UTF-8", got)
		}
		for _, r := range got {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Fatalf("%q holds %U", got, r)
			}
		}
	})
}

func TestLongTextsAreCut(t *testing.T) {
	if got := Plain(strings.Repeat("ü", 10_000)); utf8.RuneCountInString(got) != 10_000 {
		t.Errorf("%d runes of 10,000", utf8.RuneCountInString(got))
	}
	if got := Plain(strings.Repeat("ü", maxText+1)); !strings.HasSuffix(got, "ü…") || utf8.RuneCountInString(got) != maxText+1 {
		t.Errorf("%d runes", utf8.RuneCountInString(got))
	}
}
