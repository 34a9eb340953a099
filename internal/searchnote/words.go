package searchnote

import (
	"errors"
	"path/filepath"
	"strings"

	"tidepool/internal/hook"
	"tidepool/protocol"
)

// A grammar is how a program that searches reads its options.
type grammar struct {
	flags     string // letters of options without a value that leave open neither what is searched for nor where
	values    string // letters of those with a value
	recurses  bool   // it searches the working directory if no path is given
	recursing string // letters of the options that make it recurse
	long      string // long options without a value, between blanks
	longValue string // long options with a value, between blanks
}

func grammarOf(program string) (grammar, bool) {
	switch program {
	case "rg":
		return grammar{
			flags: "nHNIlcowFpaPUusL0", values: "ABCmMjgtTe", recurses: true,
			long: " line-number no-line-number with-filename no-filename files-with-matches count count-matches only-matching word-regexp fixed-strings pretty text pcre2 unrestricted case-sensitive heading no-heading hidden no-ignore no-ignore-vcs no-config trim vimgrep column no-messages json stats follow null ",
			longValue: " after-context before-context context max-count max-columns threads glob type type-not regexp color colors sort sortr " +
				"max-depth max-filesize ",
		}, true
	case "grep", "egrep", "fgrep":
		return grammar{
			flags: "nHhlcowFEGPIarRsbTZ", values: "ABCmde", recursing: "rR",
			long:      " line-number with-filename no-filename files-with-matches count only-matching word-regexp fixed-strings extended-regexp basic-regexp perl-regexp recursive dereference-recursive no-messages text null ",
			longValue: " after-context before-context context max-count include exclude exclude-dir regexp color colour binary-files directories ",
		}, true
	}
	return grammar{}, false
}

// ofWords reads the arguments of a program that searches. An option that is not known may mean anything, so there is no search.
func ofWords(words []string, dir string) (Search, bool) {
	g, ok := grammarOf(words[0])
	if !ok {
		return Search{}, false
	}
	a := arguments{grammar: g, recursive: g.recurses}
	if !a.read(words[1:]) {
		return Search{}, false
	}
	if len(a.patterns) == 0 && len(a.operands) > 0 {
		a.patterns, a.operands = a.operands[:1], a.operands[1:]
	}
	if len(a.patterns) != 1 || !isIdentifier(a.patterns[0]) || len(a.operands) == 0 && !a.recursive {
		return Search{}, false
	}
	s := Search{Name: a.patterns[0], Dir: dir, Files: a.files}
	for _, path := range a.operands {
		if expands(path) {
			return Search{}, false
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		s.Paths = append(s.Paths, path)
	}
	return s, true
}

// arguments are those of a program that searches.
type arguments struct {
	grammar
	patterns  []string // given by -e
	operands  []string
	files     []string
	recursive bool
}

// read reports false if there is an argument whose meaning is not known.
func (a *arguments) read(words []string) bool {
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		ok := true
		switch {
		case word == "--":
			a.operands = append(a.operands, words...)
			return true
		case strings.HasPrefix(word, "--"):
			words, ok = a.readLong(word[2:], words)
		case len(word) > 1 && word[0] == '-':
			words, ok = a.readShort(word[1:], words)
		default:
			a.operands = append(a.operands, word)
		}
		if !ok {
			return false
		}
	}
	return true
}

func (a *arguments) readLong(option string, rest []string) ([]string, bool) {
	name, value, joined := strings.Cut(option, "=")
	switch {
	case strings.Contains(a.long, " "+name+" "):
		a.recursive = a.recursive || strings.HasSuffix(name, "recursive")
		return rest, !joined
	case !strings.Contains(a.longValue, " "+name+" "):
		return rest, false
	case !joined && strings.HasPrefix(name, "colo") && !a.recurses: // grep takes a colour only after =
		return rest, true
	case !joined && len(rest) == 0:
		return rest, false
	case !joined:
		value, rest = rest[0], rest[1:]
	}
	return rest, a.take(name, value)
}

// readShort reads options of one letter each, of which the last may have a value.
func (a *arguments) readShort(letters string, rest []string) ([]string, bool) {
	for i, letter := range letters {
		switch {
		case strings.ContainsRune("0123456789", letter) && !a.recurses: // grep -3 is grep -C 3
		case strings.ContainsRune(a.flags, letter):
			a.recursive = a.recursive || strings.ContainsRune(a.recursing, letter)
		case !strings.ContainsRune(a.values, letter):
			return rest, false
		case i+1 < len(letters):
			return rest, a.take(string(letter), strings.TrimPrefix(letters[i+1:], "="))
		case len(rest) == 0:
			return rest, false
		default:
			return rest[1:], a.take(string(letter), rest[0])
		}
	}
	return rest, true
}

// take keeps the value of an option if it says what is searched for, or in which files.
func (a *arguments) take(name, value string) bool {
	switch name {
	case "e", "regexp":
		a.patterns = append(a.patterns, value)
	case "g", "glob", "include":
		a.files = append(a.files, value)
	case "t", "type":
		a.files = append(a.files, patternOf(value))
	case "T", "type-not", "exclude", "exclude-dir":
	case "d", "directories":
		a.recursive = a.recursive || value == "recurse"
	}
	return !expands(value)
}

// patternOf returns a pattern of the files of a type, as ripgrep names types.
func patternOf(name string) string {
	switch name {
	case "rust":
		return "*.rs"
	case "haskell":
		return "*.hs"
	}
	return "*." + name
}

// expands reports whether the shell makes another word of one.
func expands(word string) bool {
	return strings.ContainsAny(word, "$`") || strings.HasPrefix(word, "~")
}

var errUnknownDir = errors.New("the directory is not known")

// changed returns the directory after cd. Before a command Claude Code says where it begins, and after it where it has ended: then it
// has followed a relative directory already.
func changed(e *hook.Event, words []string) (string, error) {
	switch {
	case len(words) != 1 || expands(words[0]) || strings.HasPrefix(words[0], "-"):
		return "", errUnknownDir
	case filepath.IsAbs(words[0]):
		return words[0], nil
	case e.Event == protocol.PreToolUse:
		return e.Absolute(words[0]), nil
	}
	return e.Cwd, nil
}
