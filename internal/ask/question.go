package ask

import (
	"slices"
	"strings"

	"tidepool/internal/wording"
	"tidepool/protocol"
)

// The options of a confirmation.
const (
	Yes = "yes"
	No  = "no"
)

// Bounds of a question, in runes.
const (
	maxText  = 20_000 // of each of its texts, and of a reply
	maxLabel = 300    // of an option's label, and of who asks
	maxOver  = 1000   // of each text once it is closed
)

// clean makes the texts safe for a terminal and bounds their length.
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

// shorten bounds the texts of a closed question.
func shorten(q *protocol.Question) {
	q.Text, q.Details = plain(q.Text, maxOver), plain(q.Details, maxOver)
}

// Plain returns a text that can neither control a terminal nor hide from its reader (wording.Visible), of at most 20,000
// characters.
func Plain(text string) string { return plain(text, maxText) }

func plain(text string, limit int) string {
	var b strings.Builder
	n := 0
	for _, r := range wording.Visible(text) {
		if n++; n > limit {
			b.WriteString("…")
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

func oneLine(text string, limit int) string {
	return strings.Join(strings.Fields(plain(text, limit)), " ")
}

// accepts reports whether a reply answers the question, and returns it in normal form: an option may be named by its id, its
// label or, in a confirmation, the beginning of yes and no.
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

// optionCalled finds an option by its id, else by its label: a label may equal the id of another option.
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
