package outcome

import (
	"strconv"
	"strings"

	"tidepool/internal/wording"
)

// A verdict is what an output says, or a status.
type verdict uint8

const (
	silent verdict = iota // it does not tell
	passed
	failed
	nothing // no test ran
)

// A reading is what an output says of one runner.
type reading struct {
	verdict
	failed, ran int
	first       string
	atEnd       bool // a failure would show in the last lines, so that tail leaves it
	once        bool // the summary is printed only when all has run
}

const (
	maxHead  = 256 << 10 // bytes that are read of the beginning of an output
	maxTail  = 768 << 10 // and of its end
	maxLine  = 2000      // bytes that are read of a line
	maxFirst = 300       // characters of an error line
)

// split returns the lines of an output without colours, without what a carriage return wrote over, and without what exceeds the limits.
func split(output string) []string {
	if len(output) > maxHead+maxTail {
		output = output[:maxHead] + "\n" + output[len(output)-maxTail:]
	}
	lines := strings.Split(output, "\n")
	for i, line := range lines {
		line = strings.TrimSuffix(line, "\r")
		line = line[strings.LastIndexByte(line, '\r')+1:]
		lines[i] = plain(wording.ClipBytes(line, maxLine))
	}
	return lines
}

// plain returns a line without the sequences that colour it.
func plain(line string) string {
	if !strings.Contains(line, "\x1b") {
		return line
	}
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(line, "\x1b[")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		end := strings.IndexFunc(after, func(r rune) bool { return r >= '@' && r <= '~' })
		if end < 0 {
			return b.String()
		}
		line = after[end+1:]
	}
}

// count returns the number before a word, as in "3 passed"; 0 if there is none.
func count(line, word string) int {
	fields := strings.FieldsFunc(line, func(r rune) bool {
		return r == ' ' || r == ',' || r == ';' || r == '(' || r == ')' || r == '=' || r == '|'
	})
	for i := 1; i < len(fields); i++ {
		if strings.TrimSuffix(fields[i], ".") == word {
			return number(fields[i-1])
		}
	}
	return 0
}

// number returns a count; 0 for what is none or is too large to be believed.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 10_000_000 {
		return 0
	}
	return n
}

// FirstError returns the line of an output that says first what went wrong, in at most 300 characters: the message of an exception,
// a line with the word error, fatal, failed, or one of the phrases of shells and systems; else the first line that is not blank.
func FirstError(output string) string {
	lines := split(output)
	return clip(firstError(lines), following(lines))
}

var telling = pattern(`(?i)\b(?:error|fatal|failed|failure|panic|exception|denied|refused|cannot|can't|unable|undefined|unknown|invalid|` +
	`missing|no such|not found|not recognized|does not exist|timed out)\b|(?-i:\bE[A-Z]{4,}\b)|^\S*(?:Error|Exception)\b`)

func firstError(lines []string) string {
	for i, line := range lines {
		text := strings.TrimSpace(line)
		if strings.HasPrefix(text, "Traceback (most recent call last)") {
			return exception(lines[i+1:])
		}
		if telling().MatchString(text) {
			return text
		}
	}
	return ""
}

// exception returns the message behind a Python traceback: the first line that is not indented.
func exception(lines []string) string {
	for _, line := range lines {
		if line != "" && line[0] != ' ' && line[0] != '\t' {
			return line
		}
	}
	return ""
}

// titled returns a message behind the name of the test that it is of.
func titled(test, message string) string {
	if test == "" || message == "" {
		return orElse(message, test)
	}
	return test + ": " + message
}

func orElse(text, other string) string {
	if text != "" {
		return text
	}
	return other
}
