package transcript

import "strings"

// A draft is a turn while its lines come in.
type draft struct {
	turn     Turn
	texts    []passage
	messages map[string]bool // those that the turn has records of
	calls    map[string]int  // the place of a call among the tools, by its id
	bytes    int             // of texts
}

// A passage is a text of an answer. Those of one message may be growing states of one text.
type passage struct{ message, text string }

func newDraft(n int, p pending) *draft {
	e := p.event
	d := &draft{calls: map[string]int{}, messages: map[string]bool{}}
	d.turn = Turn{Number: n, UUID: e.UUID, Session: e.Session, At: e.At, Start: p.start, End: p.end}
	d.turn.User = clip(e.Prompt, MaxUser)
	d.turn.Cut = len(e.Prompt) - len(d.turn.User)
	return d
}

// add takes in what a line says of the turn; false: nothing.
func (d *draft) add(e Event, end int64) bool {
	if e.Message != "" {
		d.messages[e.Message] = true
	}
	if len(e.Texts)+len(e.Calls)+len(e.Failures) == 0 {
		return false
	}
	for _, text := range e.Texts {
		d.say(e.Message, text)
	}
	for _, call := range e.Calls {
		d.call(call)
	}
	for _, f := range e.Failures {
		if at, ok := d.calls[f.Call]; ok {
			d.turn.Tools[at].Error = f.Error
			if isOurs(d.turn.Tools[at].Name) {
				d.turn.Tools[at].Error = "failed"
			}
		}
	}
	d.turn.End = end
	return true
}

// isOurs reports whether a tool is served by this program. What it says of old conversations is not kept as a new one.
func isOurs(name string) bool {
	return strings.HasPrefix(name, "mcp__") && strings.Contains(name, "tidepool")
}

// isBare reports whether nothing has followed the prompt.
func (d *draft) isBare() bool { return len(d.texts)+len(d.turn.Tools) == 0 }

// maxGrowing is how many of the last texts may still grow. A message has one to five.
const maxGrowing = 100

// say adds a text. Of two texts of one message the longer stays if the other begins it.
func (d *draft) say(message, text string) {
	for i := len(d.texts) - 1; i >= max(0, len(d.texts)-maxGrowing) && message != ""; i-- {
		old := &d.texts[i]
		switch {
		case old.message != message:
		case strings.HasPrefix(old.text, text):
			return
		case strings.HasPrefix(text, old.text):
			d.bytes -= len(old.text)
			old.text = d.fit(text)
			return
		}
	}
	if len(d.texts) == MaxTexts {
		d.turn.Cut += len(text)
		return
	}
	if text = d.fit(text); text != "" {
		d.texts = append(d.texts, passage{message, text})
	}
}

// fit cuts a text to what the turn still has room for.
func (d *draft) fit(text string) string {
	kept := clip(text, MaxAnswer-d.bytes)
	d.bytes += len(kept)
	d.turn.Cut += len(text) - len(kept)
	return kept
}

// call adds a call. One with an id that is there already is a growing state of it.
func (d *draft) call(c Call) {
	for _, s := range []*string{&c.File, &c.Command, &c.Pattern, &c.Type, &c.Description} {
		kept := clip(*s, MaxCommand)
		d.turn.Cut += len(*s) - len(kept)
		*s = kept
	}
	at, ok := d.calls[c.ID]
	switch {
	case ok && c.ID != "":
		c.Error = d.turn.Tools[at].Error
		d.turn.Tools[at] = c.Tool
	case len(d.turn.Tools) == MaxTools:
		d.turn.Cut += len(c.Name)
	default:
		d.calls[c.ID] = len(d.turn.Tools)
		d.turn.Tools = append(d.turn.Tools, c.Tool)
	}
}

// copy returns the turn as it is now; nothing of it changes later.
func (d *draft) copy() Turn {
	t := d.turn
	t.Tools = append([]Tool(nil), t.Tools...)
	texts := make([]string, len(d.texts))
	for i, s := range d.texts {
		texts[i] = s.text
	}
	t.Answer = strings.Join(texts, "\n\n")
	return t
}
