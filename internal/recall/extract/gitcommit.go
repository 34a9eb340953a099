package extract

import (
	"slices"
	"strings"

	"tidepool/internal/shell"
)

var (
	madeCommit  = pattern(`(?m)^\[[^\]\n]* ([0-9a-f]{7,40})\] (.+)$`)
	messageFlag = pattern(`^-[a-z]*m$`)
)

// commitOf returns the commit that a use of a shell has made, from what git printed and from the message that it was given; false: none.
func commitOf(use ToolUse) (Commit, bool) {
	if !strings.Contains(use.Command, "commit") {
		return Commit{}, false
	}
	made := madeCommit().FindAllStringSubmatch(use.Output, -1)
	commands, err := shell.Parse(use.Command)
	if err != nil || len(made) == 0 {
		return Commit{}, false
	}
	last := made[len(made)-1]
	for _, c := range slices.Backward(commands) {
		if c.Words[0] == "git" && slices.Contains(c.Words, "commit") {
			subject, body, _ := strings.Cut(messageOf(c), "\n")
			if strings.TrimSpace(subject) != strings.TrimSpace(last[2]) {
				body = "" // a hook has changed it, or an editor wrote it
			}
			return Commit{Hash: strings.Clone(last[1]), Subject: last[2], Body: body, At: use.At}, true
		}
	}
	return Commit{}, false
}

// messageOf returns the message that git commit is given, its paragraphs parted by blank lines; "": by an editor or a file.
func messageOf(c shell.Command) string {
	var paragraphs []string
	for i, word := range c.Words {
		switch {
		case word == "-F" && i+1 < len(c.Words) && c.Words[i+1] == "-", word == "--file=-":
			return strings.TrimSpace(c.Input)
		case i+1 < len(c.Words) && (word == "-m" || word == "--message" || messageFlag().MatchString(word)):
			paragraphs = append(paragraphs, c.Words[i+1])
		case strings.HasPrefix(word, "--message="):
			paragraphs = append(paragraphs, strings.TrimPrefix(word, "--message="))
		}
	}
	return strings.TrimSpace(strings.Join(paragraphs, "\n\n"))
}
