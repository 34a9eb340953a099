package graph

import (
	"regexp"
	"slices"
	"strings"

	"tidepool/scout"
)

// A Param is a parameter, or a result, of a function. Either text may be "".
type Param struct{ Name, Type string }

// Pick returns which of the parameters a change is about: the one that its words name, by name or by type, or whose
// position they say, or the only one. It fails with a *Refusal if they leave several.
func Pick(params []Param, c scout.Change) (int, error) {
	if len(params) == 1 {
		return 0, nil
	}
	for _, names := range []func(Param) bool{
		func(p Param) bool { return is(p, c.Detail) || is(p, c.Terms.Member) },
		func(p Param) bool { return p.Name != "" && named(c.Words, p.Name) },
		func(p Param) bool { return len(p.Name) > 2 && mentions(c.Words, p.Name) },
		func(p Param) bool { return ofType(c.Words, p) },
	} {
		at := slices.IndexFunc(params, names)
		if at >= 0 && !slices.ContainsFunc(params[at+1:], names) {
			return at, nil
		}
	}
	switch n := c.Terms.Position; {
	case n > 0 && n <= len(params):
		return n - 1, nil
	case n < 0 && len(params) > 0:
		return len(params) - 1, nil
	}
	var all []string
	for _, p := range params {
		all = append(all, strings.TrimSpace(p.Name+" "+p.Type))
	}
	if len(all) == 0 {
		return 0, Unclear("there is none of them")
	}
	return 0, Unclear("which one of %s is not said", strings.Join(all, ", "))
}

// Named lists the parameters that words name, in the order of the words.
func Named(params []Param, words string) []int {
	var found []int
	for i, p := range params {
		if p.Name != "" && p.Name != "_" && wordAt(words, p.Name) >= 0 {
			found = append(found, i)
		}
	}
	slices.SortFunc(found, func(a, b int) int { return wordAt(words, params[a].Name) - wordAt(words, params[b].Name) })
	return found
}

func is(p Param, text string) bool {
	text = strings.Trim(text, " `'\"")
	return text != "" && (text == p.Name || text == p.Type)
}

// named reports whether words call a parameter by its name and say that it is one.
func named(words, name string) bool {
	return matches("`%`", words, name) ||
		matches("(?i:parameters?|params?|arguments?|args?|inputs?|options?|flags?)(?: (?:named|called))? [`'\"]?%\\b", words, name) ||
		matches("\\b%[`'\"]? (?i:parameter|param|argument|arg|input|option|flag)", words, name)
}

func mentions(words, name string) bool { return wordAt(words, name) >= 0 }

// ofType reports whether words name the type of a parameter, or the last part of it in any capitals.
func ofType(words string, p Param) bool {
	base := strings.TrimLeft(p.Type, "*[]&.")
	base = base[strings.LastIndexByte(base, '.')+1:]
	return base != "" && matches("(?i:\\b%s?\\b)", words, base)
}

// wordAt returns where a name stands as a word of its own; -1 if it does not.
func wordAt(words, name string) int {
	at := regexp.MustCompile(`(^|[^\pL\pN_.])` + regexp.QuoteMeta(name) + `($|[^\pL\pN_])`).FindStringIndex(words)
	if at == nil {
		return -1
	}
	return at[0]
}

// matches reports whether a pattern, with a name in the place of %, is found in words.
func matches(pattern, words, name string) bool {
	return regexp.MustCompile(strings.Replace(pattern, "%", regexp.QuoteMeta(name), 1)).MatchString(words)
}
