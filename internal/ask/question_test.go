package ask

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tidepool/protocol"
)

func TestAccepts(t *testing.T) {
	choice := protocol.Question{Kind: protocol.SelectQuestion, Options: []protocol.QuestionOption{{ID: "a", Label: "Use Postgres"}, {ID: "b", Label: "Use SQLite"}}, Free: true}
	crossed := protocol.Question{Kind: protocol.SelectQuestion, Options: []protocol.QuestionOption{{ID: "a", Label: "b"}, {ID: "b", Label: "a"}}}
	strict := protocol.Question{Kind: protocol.SelectQuestion, Options: choice.Options}
	for _, test := range []struct {
		q    protocol.Question
		r    protocol.QuestionReply
		want protocol.QuestionReply
		fits bool
	}{
		{confirm("?"), protocol.QuestionReply{Choice: "Y"}, protocol.QuestionReply{Choice: Yes}, true},
		{confirm("?"), protocol.QuestionReply{Choice: "cancel"}, protocol.QuestionReply{Choice: No}, true},
		{confirm("?"), protocol.QuestionReply{Choice: "maybe"}, protocol.QuestionReply{Text: "maybe"}, false},
		{confirm("?"), protocol.QuestionReply{}, protocol.QuestionReply{}, false},
		{choice, protocol.QuestionReply{Choice: "b"}, protocol.QuestionReply{Choice: "b"}, true},
		{choice, protocol.QuestionReply{Choice: "use sqlite"}, protocol.QuestionReply{Choice: "b"}, true},
		{choice, protocol.QuestionReply{Text: " neither\x1b[2J "}, protocol.QuestionReply{Text: "neither␛[2J"}, true},
		{choice, protocol.QuestionReply{Choice: "neither"}, protocol.QuestionReply{Text: "neither"}, true},
		{choice, protocol.QuestionReply{Text: " "}, protocol.QuestionReply{}, false},
		{crossed, protocol.QuestionReply{Choice: "b"}, protocol.QuestionReply{Choice: "b"}, true},
		{crossed, protocol.QuestionReply{Choice: "B"}, protocol.QuestionReply{Choice: "a"}, true},
		{strict, protocol.QuestionReply{Text: "neither"}, protocol.QuestionReply{Text: "neither"}, false},
	} {
		if got, fits := accepts(test.q, test.r); got != test.want || fits != test.fits {
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
