package conversation

import (
	"strings"

	"tidepool/internal/conversation/store"
)

// fieldsOf returns the texts of a turn's fields.
func fieldsOf(b *store.Body) []string {
	prose, code := splitCode(b.Answer)
	return []string{fieldPrompt: b.User, fieldProse: prose, fieldCode: code, fieldTools: toolText(b)}
}

// toolText returns what the tools were asked for, a line each. Names of tools are no words of a conversation: every turn has them.
func toolText(b *store.Body) string {
	var text strings.Builder
	seen := map[string]bool{}
	for i := range b.Tools {
		t := &b.Tools[i]
		for _, s := range []string{t.File, t.Command, t.Pattern, t.Description, t.Error} {
			if s != "" && !seen[s] { // a file that is read ten times is one file
				seen[s] = true
				text.WriteString(s)
				text.WriteByte('\n')
			}
		}
	}
	return text.String()
}

// splitCode parts an answer into its prose and its code: lines within fences, and what stands between backquotes in a line.
func splitCode(answer string) (prose, code string) {
	if !strings.Contains(answer, "`") && !strings.Contains(answer, "~~~") {
		return answer, ""
	}
	var outside, inside strings.Builder
	fence := "" // of the block that a line is in
	for line := range strings.Lines(answer) {
		trimmed := strings.TrimLeft(line, " \t>")
		switch {
		case fence != "" && strings.HasPrefix(trimmed, fence):
			fence = ""
		case fence != "":
			inside.WriteString(line)
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		default:
			splitLine(line, &outside, &inside)
		}
	}
	return outside.String(), inside.String()
}

// splitLine parts a line at its backquotes. Of an odd number the last one opens nothing.
func splitLine(line string, outside, inside *strings.Builder) {
	for {
		before, rest, ok := strings.Cut(line, "`")
		quoted, after, closed := strings.Cut(rest, "`")
		if !ok || !closed {
			outside.WriteString(line)
			return
		}
		outside.WriteString(before)
		outside.WriteByte(' ')
		if inside.WriteString(quoted); quoted != "" {
			inside.WriteByte('\n')
		}
		line = after
	}
}
