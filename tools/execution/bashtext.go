package execution

import (
	"fmt"
	"strings"

	"tidepool/internal/sandbox"
	"tidepool/internal/wording"
)

// render returns the answer for a model: how it ended, the preview, and where all of it is.
func (o *SafeBashOutput) render(outcome sandbox.Outcome, preview string, kept []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "exit %d in %s · %s · isolation %s\n", o.ExitCode, seconds(outcome.Duration), count(o.Lines, "line"), o.Isolation)
	for _, line := range o.remarks(outcome) {
		b.WriteString(wording.Visible(line) + "\n")
	}
	if preview != "" {
		b.WriteString(strings.TrimRight(preview, "\n") + "\n")
	}
	if len(kept) > 0 {
		b.WriteString("all of it: " + strings.Join(kept, ", ") + "\n")
	}
	return b.String()
}

// remarks says what is unusual about a command that has run, a line each.
func (o *SafeBashOutput) remarks(outcome sandbox.Outcome) (lines []string) {
	if o.TimedOut {
		lines = append(lines, "timed out: it was ended with all its processes")
	}
	if o.Limit != "" {
		lines = append(lines, "ended because it reached the limit of "+o.Limit)
	}
	if o.Signal != "" {
		lines = append(lines, "ended by "+o.Signal)
	}
	if len(o.Missing) > 0 {
		lines = append(lines, "not held: "+strings.Join(o.Missing, "; "))
	}
	if o.Truncated {
		lines = append(lines, fmt.Sprintf("kept: the first %s of %s", size(len(outcome.Stdout.Text)+len(outcome.Stderr.Text)), size(int(outcome.Stdout.Total+outcome.Stderr.Total))))
	}
	if len(o.Held) > 0 {
		lines = append(lines, "moved away, because programs run what they say: "+list(o.Held))
	}
	if len(o.Restored) > 0 {
		lines = append(lines, "put back as they were: "+list(o.Restored))
	}
	if o.Calls > 0 {
		lines = append(lines, wording.Count(o.Calls, "call")+" of tools by the command")
	}
	if secrets := secretsText(o.Secrets); secrets != "" {
		lines = append(lines, secrets)
	}
	return append(lines, o.Notes...)
}

// mostListed is how many paths are listed.
const mostListed = 5

func list(paths []string) string {
	if more := len(paths) - mostListed; more > 0 {
		return strings.Join(paths[:mostListed], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(paths, ", ")
}

// Text is the answer for a model.
func (o *SafeBashOutput) Text() string { return o.text }
