package transcript

import (
	"strings"
	"unicode/utf8"
)

// A block is one of the parts of a message in the Messages API of Anthropic, its values as they stand.
type block struct {
	kind                  string
	text, content         []byte
	id, name, input, call []byte
	failed                bool
}

func readBlock(data []byte) block {
	var b block
	_ = members(data, func(key, value []byte) bool {
		switch string(key) {
		case "type":
			b.kind = text(value)
		case "text":
			b.text = value
		case "id":
			b.id = value
		case "name":
			b.name = value
		case "input":
			b.input = value
		case "tool_use_id":
			b.call = value
		case "content":
			b.content = value
		case "is_error":
			b.failed = isTrue(value)
		}
		return true
	})
	return b
}

// readTool reads what a tool was asked for, by the names that Claude Code's own tools give their arguments. What a query
// asks this archive for is no such argument, so that a search does not find itself.
func readTool(name string, input []byte) Tool {
	t := Tool{Name: clip(name, maxName)}
	_ = members(input, func(key, value []byte) bool {
		switch string(key) {
		case "file_path", "notebook_path", "path":
			if t.File == "" || string(key) != "path" {
				t.File = text(value)
			}
		case "command":
			t.Command = text(value)
		case "pattern":
			t.Pattern = text(value)
		case "subagent_type":
			t.Type = text(value)
		case "description":
			t.Description = text(value)
		case "content":
			t.Chars = utf8.RuneCountInString(text(value))
		}
		return true
	})
	if t.Type == "" && t.Command != "" {
		t.Description = "" // of a command; it says it again
	}
	return t
}

// Limits of what a call keeps, in bytes.
const (
	maxName  = 200
	maxError = 300
)

// firstLine returns the first line of a tool's result that has text, without the tags around an error.
func firstLine(content []byte) string {
	var line string
	if isText(content) {
		line = headLine(content)
	}
	elements(content, func(data []byte) {
		if b := readBlock(data); line == "" && b.kind == "text" {
			line = headLine(b.text)
		}
	})
	return line
}

// headLine decodes no more of a string than its first line needs: a result may have megabytes. An escape has six bytes at
// most, so that one which is cut stands behind the limit.
func headLine(value []byte) string {
	if !isText(value) {
		return ""
	}
	s := unescape(value[1:min(len(value)-1, 8*maxError)])
	s = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s), "<tool_use_error>"))
	s, _, _ = strings.Cut(s, "\n")
	return clip(strings.TrimSpace(strings.TrimSuffix(s, "</tool_use_error>")), maxError)
}

// clip cuts a text to at most so many bytes, between characters.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return strings.Clone(s[:most])
}
