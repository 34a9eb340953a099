package extract

import (
	"strings"
	"unicode/utf8"

	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
)

var (
	reason         = pattern(`(?i)\b(?:because|instead of|rather than|chose|chosen|decided|in favou?r of|we prefer|so that)\b`)
	noReason       = pattern(`(?i)\b(?:todo|fixme|not sure (?:why|because)|no idea|maybe because|probably because|perhaps because|for (?:some|unknown) reasons?)\b`)
	machineSubject = pattern(`(?i)^(?:merge (?:branch|pull request|remote|tag)|revert "|bump \S+ from|chore\(deps|build\(deps|update dependency|fixup!|squash!|wip\b|release v?\d)`)
	trailer        = pattern(`^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+: |Fixes:? |Closes:? |Refs:? |See:? |🤖 )`)
	listItem       = pattern(`^\s*(?:[-*•]|\d+[.)])\s`)
)

// FromCommit returns the sentences of a commit's message that say why something was chosen, at most five.
func FromCommit(c Commit) []memory.Draft {
	if isMachines(c) {
		return nil
	}
	d := memory.Draft{Kind: memory.Decision, Trust: memory.Observed, Source: sourceCommit, Commit: c.Hash, At: c.At}
	var drafts []memory.Draft
	subject, typed := c.Subject, Typed(withoutTrailers(c.Body))
	if explains(subject) {
		typed = subject + ".\n\n" + typed
		subject = ""
	}
	for _, s := range sentences(joinLines(typed)) {
		if len(drafts) == maxDrafts {
			break
		}
		if !explains(s.plain) || isQuestion(s.text, s.plain) || s.told || utf8.RuneCountInString(s.text) > maxQuote || len(strings.Fields(s.text)) < 5 {
			continue
		}
		d.Content = s.text
		if subject != "" {
			d.Content = wording.Line(subject, 100) + ": " + s.text
		}
		d.Gist = d.Content
		drafts = append(drafts, d)
	}
	return drafts
}

// explains reports whether a sentence says why something was chosen.
func explains(text string) bool {
	return reason().MatchString(text) &&
		!noReason().MatchString(text)
}

// isMachines reports whether a program has written a commit's message.
func isMachines(c Commit) bool {
	return machineSubject().MatchString(c.Subject) ||
		strings.Contains(c.Body, "dependabot") || strings.HasPrefix(c.Body, "This reverts commit")
}

// withoutTrailers removes the lines at the end that have a name and a colon, such as Co-Authored-By.
func withoutTrailers(body string) string {
	lines := strings.Split(strings.TrimSpace(body), "\n")
	for len(lines) > 0 && (strings.TrimSpace(lines[len(lines)-1]) == "" || trailer().MatchString(lines[len(lines)-1])) {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// joinLines joins the lines of a paragraph that was wrapped: the next begins no item, and this one is long enough to have been broken.
func joinLines(text string) string {
	lines := strings.Split(text, "\n")
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(line)
		if i+1 == len(lines) {
			break
		}
		if len(line) >= 50 && strings.TrimSpace(lines[i+1]) != "" && !listItem().MatchString(lines[i+1]) {
			b.WriteByte(' ')
		} else {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
