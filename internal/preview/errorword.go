package preview

import "strings"

// weight returns how much a line looks like an error: 2 if it begins like one or names a place and an error, 1 if it names an error
// or a place alone, 0 for others.
func weight(line string) int {
	line = line[:min(len(line), 400)]
	if strings.TrimSpace(line) == "" {
		return 0
	}
	if beginsLikeError(line) || isPlaceAlone(line) {
		return 2
	}
	word, at := namesError(line), hasPlace(line)
	switch {
	case word && at:
		return 2
	case word || at:
		return 1
	}
	return 0
}

// isPlaceAlone reads path:line, as node prints it above the source of what was thrown.
func isPlaceAlone(line string) bool {
	colon := strings.LastIndexByte(line, ':')
	return colon > 0 && digits(line[colon+1:]) > 0 && digits(line[colon+1:]) == len(line)-colon-1 && isPath(line[:colon])
}

// beginsLikeError reports whether a line is what programs print when they give up: "error: …", "fatal: …", "ValueError: …",
// "Exception in thread …", "sh: 1: foo: not found".
func beginsLikeError(line string) bool {
	text := strings.ToLower(strings.TrimLeft(line, " \t"))
	for _, begin := range []string{
		"error:", "error[", "error ", "fatal:", "fatal error", "panic:", "traceback (most recent", "exception in thread", "exception:",
		"uncaught ", "caused by:", "npm error", "npm err!", "err!", "e: ", "[error]", "make: ***", "assertion ", "segmentation fault",
		"usage error", "failed to ", "cannot ", "could not ", "unable to ", "✖ ", "✗ ",
	} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	for _, end := range []string{": not found", "command not found", "no such file or directory", "permission denied", "(core dumped)"} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	name, _, found := strings.Cut(line, ":")
	return found && !strings.ContainsAny(name, " \t") && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception"))
}

// namesError reports whether a line has a word for an error, but not only to deny it.
func namesError(line string) bool {
	text := strings.ToLower(line)
	for _, harmless := range []string{"0 error", "no error", "0 failed", "0 failure", "errors: 0", "failed: 0", "failures: 0", "without error"} {
		if strings.Contains(text, harmless) {
			return false
		}
	}
	for _, word := range []string{
		"error", "fail", "fatal", "panic", "exception", "undefined", "unresolved", "cannot ", "can't ", "not found", "unexpected", "expected ",
		"assert", "denied", "refused", "timed out", "timeout", "invalid", "missing", "abort", "killed", "exit status", "mismatch",
	} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
