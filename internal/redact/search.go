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

// search returns the response of an event without secrets. The search has a copy of it, because the connection reuses its bytes.
func (c *Contributor) search(ctx context.Context, e *hook.Event, shape response) result {
	whole := json.RawMessage(slices.Clone(e.ToolResponse))
	return bounded(ctx, c, func(late time.Time) result {
		return c.find(late, e.SessionID, whole, shape)
	}, func(why string) result { return withheld(whole, why) })
}

// bounded returns what work finds, or without for the reason why it finds nothing. work runs on a goroutine of its own that is not waited
// for beyond its share of the time.
func bounded[T any](ctx context.Context, c *Contributor, work func(late time.Time) T, without func(why string) T) T {
	select {
	case c.slots <- struct{}{}:
	default:
		return without("too many searches have not ended")
	}
	late := lateOf(ctx)
	found := make(chan T, 1)
	go func() {
		defer func() { <-c.slots }()
		defer func() {
			if recover() != nil { // the value may quote the text
				found <- without("the search has a fault")
			}
		}()
		found <- work(late)
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
		return without(tooLong)
	}
}

// Why a text is withheld.
const (
	tooLong    = "the search took too long"
	noScrubber = "there is no scrubber, and the daemon's log says why"
)

func withheldText(why string) string {
	return "[text withheld: searching it for secrets failed: " + why + "]"
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
	scrubber, err := c.of(session)
	if err != nil {
		c.log.Error("no scrubber", "err", err)
		return withheld(whole, noScrubber)
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
		return withheld(whole, tooLong)
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
	text := withheldText(why)
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
