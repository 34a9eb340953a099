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

	// memberText matches "field f in T", the name of a member before that of its type.
	memberText  = pattern("(?i:\\b(?:fields?|members?|property|attribute|methods?))\\s+[`'\"]?([\\pL_][\\pL\\pN_]*)(?:\\(\\))?[`'\"]?\\s+(?i:in|of|from|on)\\s+(?i:the\\s+)?(?i:(?:struct|type|class|interface)\\s+)?[`'\"]?([\\pL_][\\pL\\pN_.]*[\\pL\\pN_])")
	subjectText = pattern(`^\s*(\pL[\pL\pN]*)\s+(?:should|shall|must|may|can|could|will|would|needs?|gets?|takes?|gains?|loses?|returns?|becomes?|no longer)\b`)
	pronounText = pattern(`^(?i:it|its|this|that|these|those|there|they|he|she|we|you|what|who|which|one|nobody|nothing|something|everything|code|callers?|users?|tests?|how|why|when|where|whatever)$`)

	// Behind these stands what is new.
	addedText   = pattern("(?i:\\b(?:add\\w*|new|another|extra|additional|introduc\\w*)\\s+(?:(?:an?|the|new)\\s+)?(?:[\\w.]+\\s+)?(?:field|method|parameter|param|argument|constant|variant|function|type)\\s+(?:called\\s+|named\\s+)?)[`'\"]?([\\pL_][\\pL\\pN_.]*)")
	changedText = pattern(`(?i:\b(?:renam|chang|retyp|turn|convert|mak|mov|switch|becom)\w*\b)`)
	toText      = pattern("(?i:\\b(?:from|to|into|as|called|named|becomes?|than|of)\\s+)[`'\"]?(?:\\*|\\[\\])*([\\pL_][\\pL\\pN_]*(?:(?:\\.|::|#)[\\pL_][\\pL\\pN_]*)*)")
)

// pattern returns a function that compiles a regular expression at its first call, so that no start of the daemon waits for it.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// identifiersIn finds the names of code in a sentence: what stands in
// backquotes, else what is spelled as only code is (pkg.Name, CamelCase,
// snake_case, call(), dir/file.go:12, file.ts:User.rename), else capitalised
// words inside a sentence. At most
// [maxIdentifiers], in order, each once. Later lists are of names that are less surely code, or that may be new.
func identifiersIn(text string) [][]string {
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
		case (!begins || isSubject(text, name)) && capitalisedWord(name):
			capitalised = append(capitalised, name)
		}
		begins = strings.ContainsAny(word[len(word)-1:], ".!?:")
	}
	var tiers [][]string
	members, parts := membersIn(text)
	known := newNames(text)
	for _, names := range [][]string{members, quoted, spelled, capitalised} {
		names = slices.DeleteFunc(cleanNames(names), func(n string) bool { return slices.Contains(parts, n) })
		old := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(known, n) })
		for _, tier := range [][]string{old, names} {
			if len(tier) > 0 {
				tiers = append(tiers, tier[:min(len(tier), maxIdentifiers)])
			}
		}
	}
	return tiers
}

// membersIn lists the members that a text names before their types, as "Type.member", and the names that it makes them of.
func membersIn(text string) (members, parts []string) {
	for _, m := range memberText().FindAllStringSubmatch(text, -1) {
		if !slices.Contains([]string{"the", "a", "an", "it", "this", "that", "them"}, m[1]) {
			members, parts = append(members, m[2]+"."+m[1]), append(parts, m[1], m[2])
		}
	}
	return members, parts
}

// newNames lists the names in a text that there are not yet, or that are types which something gets: "to Bar" in "rename Foo
// to Bar".
func newNames(text string) []string {
	var all []string
	for _, m := range addedText().FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	at := changedText().FindStringIndex(text)
	if at == nil {
		return all
	}
	for i, m := range toText().FindAllStringSubmatch(text[at[1]:], -1) {
		if i > 0 || !strings.HasPrefix(strings.ToLower(m[0]), "of") {
			all = append(all, m[1])
		}
	}
	return all
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
		behind := string(runes[i+1:]) // URLs is an abbreviation in the plural, URLParam is code
		if unicode.IsUpper(runes[i]) && unicode.IsUpper(runes[i-1]) && behind != "s" && behind != "" && unicode.IsLower(runes[i+1]) {
			return true
		}
	}
	return false
}

// isSubject reports whether a text begins with a name that a verb follows: "Mux should …". A pronoun is no name.
func isSubject(text, name string) bool {
	m := subjectText().FindStringSubmatch(text)
	return m != nil && m[1] == name && !pronounText().MatchString(name)
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
