package ask

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// A Kind says what a question wants to know.
type Kind string

// The kinds of question.
const (
	Confirm  Kind = "confirm"  // whether something may be done: Yes or No
	Select   Kind = "select"   // one of several options
	Guidance Kind = "guidance" // what to do, in words
)

// The options of a Confirm.
const (
	Yes = "yes"
	No  = "no"
)

// maxText bounds each text of a question, in runes.
const maxText = 20_000

// A Question is what the user is asked. Its texts hold no control characters but line feeds.
type Question struct {
	ID      string    `json:"id"` // a number; the board gives it
	Kind    Kind      `json:"kind"`
	Text    string    `json:"text"` // what is to be done or chosen
	Details string    `json:"details,omitempty"`
	Options []Option  `json:"options,omitempty"`
	Free    bool      `json:"free,omitempty"` // an answer in one's own words will do, too
	From    Origin    `json:"from"`
	Asked   time.Time `json:"asked"`
}

// An Option is one that can be chosen.
type Option struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// An Origin tells who asks. Each part may be "".
type Origin struct {
	Tool    string `json:"tool,omitempty"`
	Client  string `json:"client,omitempty"`  // name and version of the MCP client
	Session string `json:"session,omitempty"` // of Claude Code
	Dir     string `json:"dir,omitempty"`     // where the client works
}

// A Reply is what the user says: an option's id, or words of one's own.
type Reply struct {
	Choice string `json:"choice,omitempty"`
	Text   string `json:"text,omitempty"`
}

// clean makes the texts safe for a terminal, and no longer than the bound.
func (q *Question) clean() {
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
func (q Question) accepts(r Reply) (Reply, bool) {
	r.Text = strings.TrimSpace(Plain(r.Text))
	if o, is := q.option(r.Choice); is {
		return Reply{Choice: o.ID, Text: r.Text}, true
	}
	if r.Choice != "" && r.Text == "" {
		r = Reply{Text: strings.TrimSpace(Plain(r.Choice))}
	}
	return Reply{Text: r.Text}, q.Free && r.Text != ""
}

func (q Question) option(called string) (Option, bool) {
	called = strings.TrimSpace(called)
	for _, o := range q.Options {
		if called != "" && (o.ID == called || strings.EqualFold(o.Label, called)) {
			return o, true
		}
	}
	if q.Kind == Confirm && len(called) > 0 {
		for _, o := range q.Options {
			if strings.HasPrefix(o.ID, strings.ToLower(called)) {
				return o, true
			}
		}
	}
	return Option{}, false
}
