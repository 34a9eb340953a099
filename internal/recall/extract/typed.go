package extract

import (
	"regexp"
	"strings"
)

var (
	attachment = pattern(`\[(?:Image|Pasted text|File) #\d+[^\]]*\]`)
	privateTag = pattern(`(?i)<\s*(/?)\s*(private)\b[^<>]*>`)
	foreignTag = pattern(`(?i)<\s*(/?)\s*(private|memory-data|system-reminder|task-notification|user-prompt-submit-hook|` +
		`session-start-hook|user-memory-input|new-diagnostics|teammate-message|attachments?|documents?|files?|context|pasted|paste|logs?|` +
		`bash-[a-z]+|ide_[a-z_]+|command-[a-z]+|local-command-[a-z]+)\b[^<>]*>`)
	itemOfWords = pattern(`^\s*(?:[-*•]|\d+[.)])\s+[A-Za-z]`)
	pastedLine  = pattern(
		`^\s*(?:` +
			`>|\||//|/\*|\*/|\*\s*@|--\s|#|<!--|<\w|[{}\[\]]|[+-](?:[^\s\d]|\s{2,}\S*[(){};=])|@@ ` + // quotes, tables, comments, mark-up, differences
			`|(?i:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d?:\d\d(?::\d\d)?\b)` + // times
			`|\[[^\]]*\]\s` + // levels and names of a log
			`|(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|PANIC)\b` +
			`|(?i:error|warning|fatal|panic|npm err!|npm error|npm warn|hint|remote|traceback)\b[^:\s]*:` +
			`|at \S+.*[(:]\d*|File "|goroutine \d+|Caused by|Exit code \d` + // traces
			`|[$❯%➜] |>>> |\S+@\S+[:~].*[$#] ` + // shells
			`|\S+\.\w+:\d+` + // places in files
			`|.*(?:[;{}]|\) \{|=>)$` + // code
			`|(?:func|def|class) \w+\s*[(:{]|import ["\w{*].*(?: from |")|(?:const|let|var) \w+\s*[=:]|#include|\w+\s*(?::=|=)\s` +
			`)`)
	proseLine = pattern(`^\s*(?:[-*•]\s+|\d+[.)]\s+)?["'“]?[A-Za-z]`)
)

const (
	// maxTyped is how many bytes of a prompt are read, half of them of its beginning and half of its end: between them stands what
	// was pasted.
	maxTyped = 16 << 10
	maxTags  = 10_000 // tags that are looked at; what is behind them is not read
)

// Typed returns what a person typed of a prompt: without the elements that programs put into it, without <private>…</private>, code,
// quoted lines, logs, and tables. An element that is not closed extends to the end.
func Typed(prompt string) string {
	text := withoutFences(withoutElements(prompt))
	text = attachment().ReplaceAllString(text, "")
	if len(text) > maxTyped {
		text = strings.ToValidUTF8(text[:maxTyped/2], "") + "\n\n" + strings.ToValidUTF8(text[len(text)-maxTyped/2:], "")
	}
	lines := strings.Split(text, "\n")
	kept := lines[:0]
	inCode := false
	for _, line := range lines {
		line = strings.TrimRight(line, " \t\r")
		switch {
		case strings.TrimSpace(line) == "":
			inCode = false
			kept = append(kept, "")
		case isPasted(line), inCode && !isProse(line):
			inCode = true
		default:
			inCode = false
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// withoutPrivate cuts <private>…</private> out of a text that a person did not type.
func withoutPrivate(text string) string {
	if !strings.Contains(strings.ToLower(text), "private") {
		return text
	}
	return cutElements(text, privateTag())
}

func withoutElements(text string) string {
	return cutElements(text, foreignTag())
}

// cutElements removes the elements that an expression finds the tags of. Its groups are the slash of an end and the name.
func cutElements(text string, tags *regexp.Regexp) string {
	if !strings.Contains(text, "<") {
		return text
	}
	found := tags.FindAllStringSubmatchIndex(text, maxTags)
	closed := map[string]int{} // the last end of an element of this name
	for _, at := range found {
		if at[2] < at[3] {
			closed[strings.ToLower(text[at[4]:at[5]])] = at[0]
		}
	}
	var kept strings.Builder
	from, depth, name := 0, 0, ""
	for _, at := range found {
		end, tag := at[2] < at[3], strings.ToLower(text[at[4]:at[5]])
		switch {
		case depth == 0 && !end && (closed[tag] > at[0] || !isWord(tag)):
			kept.WriteString(text[from:at[0]])
			depth, name = 1, tag
		case depth > 0 && tag == name && end:
			if depth--; depth == 0 {
				from = at[1]
			}
		case depth > 0 && tag == name:
			depth++
		}
	}
	if depth == 0 && len(found) < maxTags {
		kept.WriteString(text[from:])
	}
	return kept.String()
}

// isWord reports whether people write a tag of this name without meaning an element, as in "rename <file>".
func isWord(tag string) bool {
	switch strings.TrimSuffix(tag, "s") {
	case "attachment", "document", "file", "context", "pasted", "paste", "log":
		return true
	}
	return false
}

// withoutFences removes fenced blocks of code.
func withoutFences(text string) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return text
	}
	var kept []string
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		mark := ""
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			mark = trimmed[:3]
			if fence == "" && strings.Count(trimmed, "```") > 1 {
				mark = "" // opened and closed in one line
			}
		}
		switch {
		case mark != "" && fence == "":
			fence = mark
		case mark != "" && mark == fence:
			fence = ""
			kept = append(kept, "")
		case fence == "":
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// isPasted reports whether a line is one that people paste and do not type.
func isPasted(line string) bool {
	if itemOfWords().MatchString(line) && !strings.HasSuffix(line, ";") {
		return false // an item of a list
	}
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") || pastedLine().MatchString(line)
}

// isProse reports whether a line that follows pasted ones looks typed: words, with an end.
func isProse(line string) bool {
	return len(strings.Fields(line)) >= 3 && proseLine().MatchString(line)
}
