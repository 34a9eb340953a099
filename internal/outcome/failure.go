package outcome

import (
	"strconv"
	"strings"
)

// Failure reads the error of a Bash call that Claude Code reports as failed: "Exit code 3" in the first line, the output in the
// others. Of any other error, such as a time limit or an interruption, the status is -1 and the output the whole text.
//
// A call that succeeded is reported without a status; it is 0.
func Failure(text string) (exit int, output string) {
	line, rest, _ := strings.Cut(text, "\n")
	status, ok := strings.CutPrefix(line, "Exit code ")
	if !ok {
		return -1, text
	}
	n, err := strconv.Atoi(strings.TrimSpace(status))
	if err != nil || n < 1 || n > 255 {
		return -1, text
	}
	return n, rest
}
