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

// Bounds of a question, in runes.
const (
	maxText  = 20_000 // of each of its texts, and of a reply
	maxLabel = 300    // of an option's label, and of who asks
	maxOver  = 1000   // of each text when it is over
)

// clean makes the texts safe for a terminal, and no longer than the bound.
func clean(q *protocol.Question) {
	q.Text, q.Details = Plain(q.Text), Plain(q.Details)
	q.Options = slices.Clone(q.Options)
	for i := range q.Options {
		q.Options[i].Label = oneLine(q.Options[i].Label, maxLabel)
	}
	for _, text := range []*string{&q.From.Tool, &q.From.Client, &q.From.Session, &q.From.Dir} {
		*text = oneLine(*text, maxLabel)
	}
}

// shorten keeps what is remembered of a question that is over.
func shorten(q *protocol.Question) {
	q.Text, q.Details = plain(q.Text, maxOver), plain(q.Details, maxOver)
}

// Plain is a text without anything that a terminal would obey: control characters but line feeds become their pictures,
// those that change the direction of writing and what is not UTF-8 become U+FFFD, and a long text is cut.
func Plain(text string) string { return plain(text, maxText) }

func plain(text string, limit int) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		if n++; n > limit {
			b.WriteString("…")
			break
		}
		b.WriteRune(visible(r))
	}
	return b.String()
}

func oneLine(text string, limit int) string {
	return strings.Join(strings.Fields(plain(text, limit)), " ")
}

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

// optionCalled finds an option by its id, else by its label: one may be called as another one's id is.
func optionCalled(q protocol.Question, called string) (protocol.QuestionOption, bool) {
	trimmed := strings.TrimSpace(called)
	lower := strings.ToLower(trimmed)
	for _, is := range []func(protocol.QuestionOption) bool{
		func(o protocol.QuestionOption) bool { return o.ID == called },
		func(o protocol.QuestionOption) bool { return o.ID == trimmed },
		func(o protocol.QuestionOption) bool { return strings.EqualFold(o.Label, trimmed) },
		func(o protocol.QuestionOption) bool {
			return q.Kind == protocol.ConfirmQuestion && strings.HasPrefix(o.ID, lower)
		},
	} {
		if at := slices.IndexFunc(q.Options, is); at >= 0 && trimmed != "" {
			return q.Options[at], true
		}
	}
	return protocol.QuestionOption{}, false
}
