package searchnote

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"tidepool/internal/hook"
	"tidepool/internal/shell"
)

// maxName bounds an identifier, in bytes.
const maxName = 200

// A Search is one for a bare identifier.
type Search struct {
	Name  string   // what was searched for
	Dir   string   // where it was searched from, absolute
	Paths []string // files, directories and patterns of them that were searched, absolute; empty: Dir
	Files []string // patterns of the names of files that alone were searched, or not, such as *.go; empty: all
}

// Of returns the search of a tool call; false if it is none for exactly one bare identifier, in the letter case as it stands.
func Of(e *hook.Event) (Search, bool) {
	switch e.ToolName {
	case "Grep":
		return ofGrep(e)
	case "Bash":
		if len(e.ToolInput) <= shell.MaxLine && (bytes.Contains(e.ToolInput, []byte("rg")) || bytes.Contains(e.ToolInput, []byte("grep"))) {
			return ofBash(e)
		}
	}
	return Search{}, false
}

// ofGrep reads a call of Claude Code's own search.
func ofGrep(e *hook.Event) (Search, bool) {
	var in struct {
		Pattern    string `json:"pattern"`
		Path       string `json:"path"`
		Glob       string `json:"glob"`
		Type       string `json:"type"`
		IgnoreCase bool   `json:"-i"`
	}
	if json.Unmarshal(e.ToolInput, &in) != nil || in.IgnoreCase || !isIdentifier(in.Pattern) {
		return Search{}, false
	}
	s := Search{Name: in.Pattern, Dir: e.Cwd}
	if in.Path != "" {
		s.Paths = []string{e.Absolute(in.Path)}
	}
	if in.Glob != "" {
		s.Files = append(s.Files, strings.Fields(in.Glob)...)
	}
	if in.Type != "" {
		s.Files = append(s.Files, patternOf(in.Type))
	}
	return s, filepath.IsAbs(s.Dir)
}

// ofBash reads a command that is one search, whose output other programs may shorten or sort.
func ofBash(e *hook.Event) (Search, bool) {
	var in struct {
		Command    string `json:"command"`
		Background bool   `json:"run_in_background"`
	}
	if json.Unmarshal(e.ToolInput, &in) != nil || in.Background {
		return Search{}, false
	}
	commands, err := shell.Parse(in.Command)
	if err != nil || slices.ContainsFunc(commands, func(c shell.Command) bool { return c.Hidden || c.Apart || c.Input != "" }) {
		return Search{}, false
	}
	dir := e.Cwd
	if len(commands) > 1 && commands[0].Words[0] == "cd" {
		if dir, err = changed(e, commands[0].Words[1:]); err != nil {
			return Search{}, false
		}
		commands = commands[1:]
	}
	if len(commands) == 0 || !filepath.IsAbs(dir) || slices.ContainsFunc(commands[1:], func(c shell.Command) bool { return !shortens(c) }) {
		return Search{}, false
	}
	return ofWords(commands[0].Words, dir)
}

// shortens reports whether a command shows a part of its input, in any order.
func shortens(c shell.Command) bool {
	switch c.Words[0] {
	case "head", "tail", "sort", "uniq", "wc", "less", "more":
		return true
	}
	return c.Words[0] == "cat" && len(c.Words) == 1
}

// isIdentifier reports whether a pattern is a name as the languages have them.
func isIdentifier(pattern string) bool {
	for i, r := range pattern {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return pattern != "" && len(pattern) <= maxName
}
