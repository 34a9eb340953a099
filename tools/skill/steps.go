package skill

import (
	"fmt"
	"regexp"
	"strings"

	"tidepool/internal/wording"
)

// stepsHeading begins the steps in the text of a skill.
const stepsHeading = "## Steps"

// splitSteps returns the text before the steps of a skill, the steps, and the text behind them. A text without steps is before them.
func splitSteps(body string) (before string, steps []string, after string) {
	lines := strings.SplitAfter(body, "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) != stepsHeading {
			continue
		}
		end := i + 1
		for ; end < len(lines) && !strings.HasPrefix(lines[end], "#"); end++ {
			if m := regexp.MustCompile(`^\d+\. (.*)`).FindStringSubmatch(lines[end]); m != nil {
				steps = append(steps, strings.TrimSpace(m[1]))
			}
		}
		return strings.Join(lines[:i], ""), steps, strings.Join(lines[end:], "")
	}
	return body, nil, ""
}

// joinSteps returns the text of a skill with steps.
func joinSteps(before string, steps []string, after string) string {
	parts := []string{strings.TrimSpace(before)}
	if len(steps) > 0 {
		var b strings.Builder
		b.WriteString(stepsHeading + "\n")
		for i, step := range steps {
			fmt.Fprintf(&b, "\n%d. %s", i+1, wording.OneLine(step))
		}
		parts = append(parts, b.String())
	}
	parts = append(parts, strings.TrimSpace(after))
	return strings.TrimSpace(strings.Join(parts, "\n\n"))
}
