package ask

import (
	"slices"
	"strings"
	"unicode"

	"tidepool/protocol"
)

// The options of a question that wants a confirmation.
const (
	Yes = "yes"
	No  = "no"
)

// maxText bounds each text of a question, in runes.
const maxText = 20_000

// clean makes the texts safe for a terminal, and no longer than the bound.
func clean(q *protocol.Question) {
	q.Text, q.Details = Plain(q.Text), Plain(q.Details)
	q.Options = slices.Clone(q.Options)
	for i := range q.Options {
		q.Options[i].Label = oneLine(q.Options[i].Label)
	}
	for _, text := range []*string{&q.From.Tool, &q.From.Client, &q.From.Session, &q.From.Dir} {
		*text = oneLine(*text)
	}
}

// Plain is a text without anything that a terminal would obey: control characters but line feeds become their pictures,
// those that change the direction of writing and what is not UTF-8 become U+FFFD, and a long text is cut.
func Plain(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		if n++; n > maxText {
			b.WriteString("…")
			break
		}
		b.WriteRune(visible(r))
	}
	return b.String()
}

func oneLine(text string) string { return strings.Join(strings.Fields(Plain(text)), " ") }

func visible(r rune) rune {
	switch {
	case r == '\n':
		return r
	case r == '\t':
		return ' '
	case r < 0x20:
		return '␀' + r
	case r == 0x7f:
		return '␡'
	case unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs):
		return unicode.ReplacementChar
	}
	return r
}

// accepts says whether a reply answers the question, and the reply as it counts: an option may be called by its id, its
// label, or, of a Confirm, by the beginning of yes and no.
func accepts(q protocol.Question, r protocol.QuestionReply) (protocol.QuestionReply, bool) {
	r.Text = strings.TrimSpace(Plain(r.Text))
	if o, is := optionCalled(q, r.Choice); is {
		return protocol.QuestionReply{Choice: o.ID, Text: r.Text}, true
	}
	if r.Choice != "" && r.Text == "" {
		r = protocol.QuestionReply{Text: strings.TrimSpace(Plain(r.Choice))}
	}
	return protocol.QuestionReply{Text: r.Text}, q.Free && r.Text != ""
}

func optionCalled(q protocol.Question, called string) (protocol.QuestionOption, bool) {
	called = strings.TrimSpace(called)
	for _, o := range q.Options {
		if called != "" && (o.ID == called || strings.EqualFold(o.Label, called)) {
			return o, true
		}
	}
	if q.Kind == protocol.ConfirmQuestion && len(called) > 0 {
		for _, o := range q.Options {
			if strings.HasPrefix(o.ID, strings.ToLower(called)) {
				return o, true
			}
		}
	}
	return protocol.QuestionOption{}, false
}
