package policy

import (
	"fmt"
	"time"

	"tidepool/protocol"
)

// Bounds of what rules look at. A regular expression without a literal to look for first takes 0.2 s for 1 MiB, and
// nothing interrupts it, so that an evaluation ends at the latest one text after maxTime. Commands of Claude Code are
// shorter by far, and so are most files that it writes.
const (
	MaxText = 1 << 20 // bytes of one text
	maxName = 4 << 10 // bytes of a tool's name
	maxTime = time.Second
)

// An evaluation is that of one tool call by the rules of a policy.
type evaluation struct {
	giveUp    time.Time // zero until a pattern looks at the first text, which it does in any case
	unchecked string    // why a text of the latest rule was not looked at; "" if it was
}

// concerns reports whether a rule is about a tool, or may be.
func (e *evaluation) concerns(r *rule, tool string) bool {
	if len(tool) <= maxName {
		return r.tool.match(tool)
	}
	return e.skip(r, fmt.Sprintf("the tool's name is %d bytes long, and rules look at %d at most", len(tool), maxName))
}

// text reports whether a rule's pattern fits a text, or may.
func (e *evaluation) text(r *rule, text string) bool {
	switch {
	case len(text) > MaxText:
		return e.skip(r, fmt.Sprintf("it is %d bytes long, and rules look at %d at most", len(text), MaxText))
	case e.giveUp.IsZero():
		e.giveUp = time.Now().Add(maxTime)
	case !time.Now().Before(e.giveUp):
		return e.skip(r, fmt.Sprintf("the rules have looked at it and at what comes before for %v", maxTime))
	}
	return r.pattern.MatchString(text)
}

// skip leaves a text unseen, and reports what that means for a rule: one that lets pass or is only told does not fit, any other does.
func (e *evaluation) skip(r *rule, why string) bool {
	if r.decision == protocol.Allow || r.decision == protocol.NoDecision {
		return false
	}
	e.unchecked = why
	return true
}

// verdict returns what a rule decides that fits at a place of the input, or may.
func (e *evaluation) verdict(r *rule, at string) Verdict {
	v := Verdict{Decision: r.decision, Reason: r.reason, Rule: r.number, Field: at}
	if e.unchecked != "" {
		where := ""
		if at != "" {
			where = "tool_input." + at + ": "
		}
		v.Reason = fmt.Sprintf("%s says %q, and whether it fits cannot be checked: %s%s. "+
			"Do it in smaller steps, or put a long text into a file first.", r.name, r.decision, where, e.unchecked)
	}
	return v
}
