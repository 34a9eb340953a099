package scout

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// maxIdentifiers bounds what is taken from the words of a query.
const maxIdentifiers = 5

var (
	quotedText     = pattern("`([^`\n]+)`")
	identifierText = pattern(`^[\pL_][\pL\pN_]*((\.|::|#)[\pL_][\pL\pN_]*)*$`)
	placeText      = pattern(`^[\pL\pN_./-]+\.\pL\w*:(\d+(:\d+)?|[\pL_][\pL\pN_.:#]*)$`)
	separatorText  = pattern(`\.|::|#`)
)

// pattern returns a function that compiles a regular expression at its first call, so that no start of the daemon waits for it.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// identifiersIn finds the names of code in a sentence: what stands in
// backquotes, else what is spelled as only code is (pkg.Name, CamelCase,
// snake_case, call(), dir/file.go:12, file.ts:User.rename), else capitalised
// words inside a sentence. At most
// [maxIdentifiers], in order, each once.
func identifiersIn(text string) []string {
	var quoted, spelled, capitalised []string
	for _, m := range quotedText().FindAllStringSubmatch(text, -1) {
		if name := bareName(m[1]); identifierText().MatchString(name) || placeText().MatchString(name) {
			quoted = append(quoted, name)
		}
	}
	begins := true
	for _, word := range strings.Fields(text) {
		name := bareName(word)
		switch {
		case placeText().MatchString(name):
			spelled = append(spelled, name)
		case !identifierText().MatchString(name) || fileOrAbbreviation(name):
		case spelledAsCode(name) || strings.Contains(word, "()"):
			spelled = append(spelled, name)
		case !begins && capitalisedWord(name):
			capitalised = append(capitalised, name)
		}
		begins = strings.ContainsAny(word[len(word)-1:], ".!?:")
	}
	for _, names := range [][]string{quoted, spelled, capitalised} {
		if names = cleanNames(names); len(names) > 0 {
			return names[:min(len(names), maxIdentifiers)]
		}
	}
	return nil
}

// bareName strips what surrounds a name in prose and in code.
func bareName(word string) string {
	word = strings.TrimFunc(word, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, possessive := range []string{"'s", "’s"} {
		word = strings.TrimSuffix(word, possessive)
	}
	return strings.TrimSuffix(word, "()")
}

func spelledAsCode(name string) bool {
	if separatorText().MatchString(name) || strings.Contains(name, "_") {
		return true
	}
	runes := []rune(name)
	for i := 1; i < len(runes); i++ {
		if unicode.IsUpper(runes[i]) && unicode.IsLower(runes[i-1]) {
			return true
		}
	}
	return false
}

func capitalisedWord(name string) bool {
	runes := []rune(name)
	return len(runes) > 1 && unicode.IsUpper(runes[0]) && slices.ContainsFunc(runes, unicode.IsLower)
}

// fileOrAbbreviation recognises what only looks qualified: main.go, e.g.
func fileOrAbbreviation(name string) bool {
	switch path.Ext(name) {
	case ".go", ".mod", ".sum", ".md", ".json", ".yaml", ".yml", ".toml", ".txt", ".ts", ".js", ".py", ".rs", ".hs", ".c", ".h":
		return true
	}
	parts := strings.Split(name, ".")
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return len(p) > 1 })
}
