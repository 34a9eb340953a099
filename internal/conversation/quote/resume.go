package quote

import (
	"strings"

	"tidepool/internal/wording"
)

// Resume returns the command that continues a session of Claude Code, for a shell. It is "" for an id that Claude Code does
// not give: the name of a file is foreign, too, and could be a flag.
func Resume(session string) string {
	if !ResumableID(session) {
		return ""
	}
	return "claude --resume " + session
}

// ResumeIn returns the command that continues a session in its own directory. It is "" where Resume is, and for a directory
// whose name nobody can read.
func ResumeIn(dir, session string) string {
	command := Resume(session)
	if command == "" || dir == "" || wording.OneLine(wording.Visible(dir)) != dir {
		return ""
	}
	return "cd " + inShell(dir) + " && " + command
}

// ResumableID reports whether an id is one that Claude Code gives: letters, digits, - and _, no - at the beginning, at most 128.
func ResumableID(session string) bool {
	plain := strings.Trim(session, letters+"-_") == "" && !strings.HasPrefix(session, "-")
	return session != "" && len(session) <= 128 && plain
}

const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// inShell returns a word as a shell takes it.
func inShell(word string) string {
	if strings.Trim(word, letters+"-_./") == "" && !strings.HasPrefix(word, "-") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
