package recollect

import (
	"context"
	"strings"

	"tidepool/internal/hook"
	"tidepool/internal/outcome"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
)

// tool learns from a tool that has ended, and returns what its result means.
func (c *Contributor) tool(ctx context.Context, e *hook.Event) string {
	use, ended := useOf(e, c.options.Now())
	if !ended || use.Command == "" && use.File == "" {
		return ""
	}
	opened, ctx, cancel := c.get(ctx, 0, 0)
	defer cancel()
	c.begin(opened, e)
	c.learn(opened, taughtBy(e.ToolUseID, c.conversation(ctx, opened, e).Tool(use)))
	if opened == nil || use.Command == "" {
		return ""
	}
	result := outcome.Of(use.Command, use.Output, use.Exit, use.Failed)
	if !result.Known {
		return ""
	}
	if text := opened.Journal.Observe(ctx, ownerOf(e), result); text != "" {
		return text
	}
	return c.seenBefore(ctx, opened, e, result)
}

// minFailure is how long an error must be, in bytes, to be recognised. "exit status 1" says nothing.
const minFailure = 20

// seenBefore returns how the same failure ended before, once a session; "" if nobody knows. The same is the same first error, numbers
// aside: a fix of something like it would be a guess.
func (c *Contributor) seenBefore(ctx context.Context, opened *Opened, e *hook.Event, r outcome.Result) string {
	first := withoutNumbers(r.First)
	if r.Passed || len(first) < minFailure {
		return ""
	}
	found, err := opened.Store.Recall(ctx, recall.Query{Text: r.First, Kinds: []memory.Kind{memory.Fix, memory.Remediation}, Limit: 5})
	if err != nil {
		c.options.Log.DebugContext(ctx, "a failure is not compared with earlier ones", "err", err)
		return ""
	}
	for _, hit := range found.Memories {
		if hit.Trust != memory.Drafted && hit.SupersededBy == "" && strings.Contains(withoutNumbers(hit.Content), first) && c.loaded.addOnce(e.SessionID, hit.ID) {
			return failureText([]recall.Hit{hit}, c.options.Now())
		}
	}
	return ""
}

// withoutNumbers returns a text with "#" for each number, and single blanks: line numbers and durations change from run to run.
func withoutNumbers(text string) string {
	var b strings.Builder
	number := false
	for _, r := range wording.OneLine(text) {
		if isDigit := '0' <= r && r <= '9'; !isDigit {
			b.WriteRune(r)
		} else if !number {
			b.WriteByte('#')
		}
		number = '0' <= r && r <= '9'
	}
	return b.String()
}
