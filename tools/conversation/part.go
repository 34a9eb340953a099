package conversation

import (
	"strings"
	"unicode/utf8"

	"tidepool/internal/conversation"
	"tidepool/internal/conversation/quote"
	"tidepool/internal/wording"
)

// bytesPerToken is the usual estimate for English text and code.
const bytesPerToken = 4

// longestPart bounds a part in characters: a line of a transcript may have megabytes.
const longestPart = 1000

// A part is a line of a turn, or a piece of a long one: what a page holds whole or not at all.
type part struct {
	of    speaker
	text  string // without control characters
	goes  bool   // the line goes on in the next part
	first bool   // of what the speaker said
	tool  int    // of a tool: its place in the turn
}

// A speaker is who a part is of.
type speaker string

const (
	user   speaker = "user"
	claude speaker = "claude"
	tool   speaker = "tool"
)

// partsOf cuts a turn into parts. Those of a turn that grows stay what they were, but for the last of its answer and its tools.
func partsOf(t conversation.Turn) []part {
	parts := append(cut(user, t.User), cut(claude, t.Answer)...)
	for i, used := range t.Tools {
		parts = append(parts, part{of: tool, text: quote.ToolLine(used), first: true, tool: i})
	}
	return parts
}

// cut returns the parts of a text.
func cut(of speaker, text string) []part {
	if text == "" {
		return nil
	}
	var parts []part
	for line := range strings.SplitSeq(wording.Visible(text), "\n") {
		for {
			head := prefix(line, longestPart)
			parts = append(parts, part{of: of, text: head, goes: len(head) < len(line)})
			if line = line[len(head):]; line == "" {
				break
			}
		}
	}
	parts[0].first = true
	return parts
}

// prefix returns at most the first characters of a text.
func prefix(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := 0
	for n := 0; n < most && end < len(text); n++ {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return text[:end]
}

// line returns a part as it is shown: what begins a speech names who speaks, and no other line can.
func (p part) line() string {
	if p.first {
		return strings.TrimRight("   | "+string(p.of)+": "+p.text, " ") + "\n"
	}
	return strings.TrimRight("   |   "+p.text, " ") + "\n"
}

// fit returns how many of the parts there is room for, in bytes of their lines; at least one, if there are any.
func fit(parts []part, room int) int {
	for i, p := range parts {
		if room -= len(p.line()); room < 0 {
			return max(i, min(1, len(parts)))
		}
	}
	return len(parts)
}

// said returns what a speaker said in these parts.
func said(parts []part, of speaker) string {
	var b strings.Builder
	for i, p := range parts {
		if p.of != of {
			continue
		}
		b.WriteString(p.text)
		if !p.goes && i+1 < len(parts) && parts[i+1].of == of {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
