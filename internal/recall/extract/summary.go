package extract

import (
	"strings"

	"tidepool/internal/outcome"
	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
)

const (
	maxGoal    = 300 // characters
	maxCommits = 8   // subjects that a summary names, the latest ones
	maxEdited  = 12  // files that a summary names, the latest ones
)

// Summary returns the conversation's memory as a whole: its goal, commits, files and last outcome. It takes the place of the one before,
// and there is none as long as nothing was changed, committed, tested or built, or if it is the same as the last one. A subagent's conversation has none.
func (c *Conversation) Summary() []memory.Draft {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.summary()
}

func (c *Conversation) summary() []memory.Draft {
	if c.key.Agent != "" || len(c.edited) == 0 && len(c.commits) == 0 && !c.last.Known {
		return nil
	}
	text := c.text()
	if text == c.told {
		return nil
	}
	c.told = text
	d := memory.Draft{
		Kind: memory.Session, Trust: memory.Observed, Source: sourceSession, Content: text, Gist: c.gist(), Replaces: true,
		Session: c.key.Session, Turn: c.turn, Files: latest(c.edited, maxFiles), At: c.at,
	}
	if c.last.Known {
		d.Outcome = memory.Failure
		if c.last.Passed {
			d.Outcome = memory.Success
		}
	}
	return []memory.Draft{d}
}

// text returns the summary: a line for each part that there is.
func (c *Conversation) text() string {
	var lines []string
	for _, part := range []struct{ name, text string }{
		{"Goal", c.goal},
		{"Commits", strings.Join(c.commits, "; ")},
		{"Files", strings.Join(latest(c.edited, maxEdited), ", ")},
		{"Last", ended(c.last)},
	} {
		if part.text != "" {
			lines = append(lines, part.name+": "+part.text)
		}
	}
	return strings.Join(lines, "\n")
}

func (c *Conversation) gist() string {
	var parts []string
	if c.goal != "" {
		parts = append(parts, wording.Line(c.goal, 110))
	}
	if n := len(c.commits); n > 0 {
		parts = append(parts, "last commit: "+wording.Line(c.commits[n-1], 60))
	} else if n := len(c.edited); n > 0 {
		parts = append(parts, "changed "+wording.Line(strings.Join(latest(c.edited, 2), ", "), 60))
	}
	if c.last.Known {
		parts = append(parts, wording.Line(ended(c.last), 60))
	}
	return strings.Join(parts, "; ")
}

// ended returns how the last tests or the last build ended.
func ended(r outcome.Result) string {
	switch {
	case !r.Known:
		return ""
	case r.Passed:
		return r.Program + " passed"
	case r.First != "":
		return r.Program + " failed: " + r.First
	}
	return r.Program + " failed"
}

// Resume gives a conversation that is new here what an earlier summary of the same session says, so that the next one does not
// have less. Text in another form is ignored.
func (c *Conversation) Resume(summary string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for line := range strings.Lines(summary) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case text == "":
		case name == "Goal":
			c.goal = wording.Line(text, maxGoal)
		case name == "Commits" && len(c.commits) == 0:
			c.commits = strings.Split(text, "; ")
			c.commits = c.commits[max(0, len(c.commits)-maxCommits):]
		case name == "Files" && len(c.edited) == 0:
			c.edited = latest(strings.Split(text, ", "), maxEdited)
		}
	}
}
