package conversation

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"tidepool/internal/conversation"
	"tidepool/internal/conversation/quote"
	"tidepool/internal/wording"
)

// Bytes that a text takes besides what it quotes.
const (
	searchFrame = 400 // the first line, unknown words, the cursor
	turnFrame   = 300 // the line of provenance, what is cut
)

// mostSnippet bounds a line of a snippet in characters; an archive gives 300.
const mostSnippet = 1000

// Text is the answer for a model: a line of provenance per hit, then quoted lines.
func (o *SearchConversationsOutput) Text() string {
	var b strings.Builder
	shown := fmt.Sprint(o.Total)
	if o.skip > 0 {
		shown = fmt.Sprintf("%d to %d", min(o.skip+1, o.skip+o.Total), o.skip+o.Total)
	}
	fmt.Fprintf(&b, "%s of %s; %s. %s\n", shown, wording.Count(o.Matches, "matching turn"), o.Completeness.text(), record)
	for i, hit := range o.hits {
		b.WriteString(o.reader.hit(o.skip+i+1, hit))
	}
	if len(o.UnknownWords) > 0 {
		fmt.Fprintf(&b, "No turn has: %s\n", quote.Line(strings.Join(o.UnknownWords, ", "), 200))
	}
	if len(o.IgnoredWords) > 0 {
		fmt.Fprintf(&b, "Not searched for, because they say too little: %s\n", quote.Line(strings.Join(o.IgnoredWords, ", "), 200))
	}
	if o.Cursor != "" {
		fmt.Fprintf(&b, "%s: %s\n", wording.Count(o.Matches-o.skip-o.Total, "more turn"), o.reader.say("ask again with cursor "+strconv.Quote(o.Cursor), "-n shows more"))
	}
	return b.String()
}

// say returns what is to be done: with a tool, or in a shell.
func (r reader) say(tool, shell string) string {
	if r.shell {
		return shell
	}
	return tool
}

// hit returns the lines of one hit.
func (r reader) hit(number int, h conversation.Hit) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-2d %s turn %d", number, quote.ID(h.Session), h.Turn)
	for _, fact := range []string{quote.Day(h.At, r.now), quote.Title(h.Title), quote.Path(h.Cwd, r.home), flag(h.Abandoned, "abandoned"), flag(h.Subagent, "a subagent's")} {
		if fact != "" {
			b.WriteString(", " + fact)
		}
	}
	b.WriteString("  (" + resume(h.Session, h.Resumable) + ")\n")
	for _, p := range []part{{of: user, text: h.Snippet.User}, {of: claude, text: h.Snippet.Claude}} {
		if p.text != "" {
			p.first, p.text = true, quote.Line(p.text, mostSnippet)
			b.WriteString(p.line())
		}
	}
	if h.More > 0 {
		fmt.Fprintf(&b, "   %s of this session: %s\n", wording.Count(h.More, "more turn"), r.say("search with its session_id", "search with --session "+quote.ID(h.Session)))
	}
	return b.String()
}

// Text is the answer for a model: a line per session.
func (o *ListConversationsOutput) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %s, the latest first; %s. %s\n", len(o.found), wording.Count(o.Total, "conversation"), o.Completeness.text(), record)
	for i, s := range o.found {
		fmt.Fprintf(&b, "%-2d %s %s", i+1, quote.ID(s.Session), wording.Count(s.Turns, "turn"))
		for _, fact := range []string{days(s, o.reader.now), quote.Title(s.Title), quote.Path(s.Cwd, o.reader.home), quote.Line(s.Branch, 100), flag(s.Subagent, "a subagent's")} {
			if fact != "" {
				b.WriteString(", " + fact)
			}
		}
		b.WriteString("  (" + resume(s.Session, s.Resumable) + ")\n")
	}
	if more := o.Total - len(o.found); more > 0 {
		fmt.Fprintf(&b, "%d more: %s\n", more, o.reader.say("a larger limit, since or query shows them", "-n shows more"))
	}
	return b.String()
}

// Text is the turn for a model.
func (o *ReadTurnOutput) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. %s\n", o.shown.heading(), record)
	o.shown.write(&b)
	return b.String()
}

// Text is a part of the session for a model.
func (o *ReadConversationOutput) Text() string {
	var b strings.Builder
	s := o.summary
	fmt.Fprintf(&b, "%s of %s of %s, %s, %s  (%s). %s\n", span(o.Offset, len(o.Turns)), wording.Count(s.Turns, "turn"), quote.ID(s.Session),
		quote.Title(s.Title), quote.Path(s.Cwd, o.reader.home), resume(s.Session, s.Resumable), record)
	for _, shown := range o.shown {
		fmt.Fprintf(&b, "%s\n", shown.heading())
		shown.write(&b)
	}
	if o.Next > 0 {
		fmt.Fprintf(&b, "%s: read_conversation with offset %d\n", wording.Count(s.Turns-o.Next, "more turn"), o.Next)
	}
	return b.String()
}

// heading names a turn.
func (s *shownTurn) heading() string {
	text := fmt.Sprintf("%s turn %d", quote.ID(s.turn.Session), s.turn.Number)
	if day := quote.Day(s.turn.At, s.reader.now); day != "" {
		text += ", " + day
	}
	if s.turn.Abandoned {
		text += ", abandoned"
	}
	return text
}

// write writes the parts that are shown, and how to read the others.
func (s *shownTurn) write(b *strings.Builder) {
	if s.start > 0 {
		fmt.Fprintf(b, "   (%s before)\n", wording.Count(s.start, "line"))
	}
	for i, p := range s.parts() {
		p.first = p.first || i == 0 // a page that begins within a speech names who speaks
		b.WriteString(p.line())
	}
	if more := len(s.all) - s.end; more > 0 {
		fmt.Fprintf(b, "   %s of turn %d: read_turn with from %d\n", wording.Count(more, "more line"), s.turn.Number, s.end)
	}
}

// span names turns by their numbers.
func span(offset, turns int) string {
	switch turns {
	case 0:
		return "no turn"
	case 1:
		return fmt.Sprintf("turn %d", offset)
	}
	return fmt.Sprintf("turns %d to %d", offset, offset+turns-1)
}

// resume says how a session goes on, or that it does not.
func resume(session string, resumable bool) string {
	if command := quote.Resume(session); resumable && command != "" {
		return command
	}
	return "can only be read"
}

// days returns when a session was.
func days(s conversation.Summary, now time.Time) string {
	first, last := quote.Day(s.First, now), quote.Day(s.Last, now)
	if first == last || first == "" {
		return last
	}
	return first + " to " + last
}

func flag(is bool, name string) string {
	if is {
		return name
	}
	return ""
}

// text says what an answer covers.
func (c completeness) text() string {
	switch c.State {
	case conversation.Indexing:
		return fmt.Sprintf("indexing, %d%% of the transcripts are read: ask again for the rest", int(c.Share*100))
	case conversation.Partial:
		return "partial: " + quote.Line(c.Why, 200)
	}
	return c.State
}

// timestamp returns a time for a program.
func timestamp(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// rounded keeps four decimals.
func rounded(score float64) float64 { return math.Round(score*1e4) / 1e4 }

// joined returns both halves of a snippet.
func joined(s conversation.Snippet) string {
	if s.User == "" || s.Claude == "" {
		return s.User + s.Claude
	}
	return s.User + "\n" + s.Claude
}

// visible returns texts without control characters; nil for none.
func visible(texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, wording.Visible(text))
	}
	return all
}
