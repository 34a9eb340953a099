package redact

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"tidepool/internal/hook"
	"tidepool/internal/scrub"
)

// A result is what is left of a response.
type result struct {
	output   json.RawMessage // nil: there was no secret in it
	withheld bool
	secrets  int
	lines    []int // on which secrets were, in the text of a file
}

// lateShare is the part of a hook's time in which a search must end. The rest is for withholding, and for the answer.
const lateShare = 0.8

// search returns the response of an event, searched by a goroutine that is not waited for beyond its share of the time. The goroutine
// has a copy of the response, because the connection reuses its bytes.
func (c *Contributor) search(ctx context.Context, e *hook.Event, shape response) result {
	select {
	case c.slots <- struct{}{}:
	default:
		return withheld(e.ToolResponse, "too many searches have not ended")
	}
	whole, late := json.RawMessage(slices.Clone(e.ToolResponse)), lateOf(ctx)
	found := make(chan result, 1)
	go func() {
		defer func() { <-c.slots }()
		found <- c.find(late, e.SessionID, whole, shape)
	}()
	if late.IsZero() {
		return <-found
	}
	timer := time.NewTimer(time.Until(late))
	defer timer.Stop()
	select {
	case r := <-found:
		return r
	case <-timer.C:
		return withheld(e.ToolResponse, "the search took too long")
	}
}

// lateOf returns when a search must have ended; the zero time if the hook has no deadline.
func lateOf(ctx context.Context) time.Time {
	deadline, limited := ctx.Deadline()
	if !limited {
		return time.Time{}
	}
	return time.Now().Add(time.Duration(lateShare * float64(time.Until(deadline))))
}

// find searches each text of a response, until late; the zero time is never.
func (c *Contributor) find(late time.Time, session string, whole json.RawMessage, shape response) (r result) {
	defer func() {
		if recover() != nil { // the value may quote the text
			r = withheld(whole, "the search has a fault")
		}
	}()
	scrubber, err := c.of(session)
	if err != nil {
		c.log.Error("no scrubber", "err", err)
		return withheld(whole, "there is no scrubber, and the daemon's log says why")
	}
	mode := c.Mode()
	if shape.file {
		mode = Known
	}
	isLate := false
	output, changed := rewrite(whole, func(member, text string) string {
		if isLate = isLate || !late.IsZero() && time.Now().After(late); isLate {
			return ""
		}
		clean, found := mode.search(scrubber, text)
		r.add(shape, member, text, found)
		return clean
	})
	switch {
	case isLate:
		return withheld(whole, "the search took too long")
	case changed:
		r.output = output
	}
	return r
}

// add counts what was found in a text.
func (r *result) add(shape response, member, text string, found []scrub.Finding) {
	r.secrets += len(found)
	if len(found) == 1 && found[0].Rule == scrub.Withheld {
		r.withheld = true
		return
	}
	if !shape.lines || member != "content" {
		return
	}
	line, at := shape.first, 0
	for _, f := range found {
		line += strings.Count(text[at:f.Start], "\n")
		at = f.Start
		if len(r.lines) == 0 || r.lines[len(r.lines)-1] != line {
			r.lines = append(r.lines, line)
		}
	}
}

// withheld returns a response whose texts all say why they are withheld. Short texts without white space stay if they are members that
// say what the response is: without them Claude Code would ignore it.
func withheld(whole json.RawMessage, why string) result {
	text := "[text withheld: searching it for secrets failed: " + why + "]"
	output, _ := rewrite(whole, func(member, was string) string {
		if was == "" || isKind(member) && isWord(was) {
			return was
		}
		return text
	})
	return result{output: output, withheld: true}
}

// isKind reports whether a member may say which shape a response has.
func isKind(member string) bool {
	switch member {
	case "type", "mode", "cellType", "language", "cell_type", "output_type":
		return true
	}
	return false
}

// isWord reports whether a text is one of the short words with which Claude Code names shapes.
func isWord(text string) bool {
	return len(text) <= 20 && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_") == ""
}
