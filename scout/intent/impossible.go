package intent

import (
	"slices"
	"strings"
)

// named are words that name what is added to the symbol, whatever it is.
var named = []struct {
	kind  string
	words *pattern
}{
	{"add_variant", matching(`(?i)\b(variants?|enum (value|member|constant|case|variant)s?|enumerators?)( more)? (to|for|on|into) §symbol\b|` +
		`§symbol (gets?|gains?|receives?|bekommt|kriegt) (an?|one|another|einen?|noch einen?)( new| more| further| additional)* (variant|enum (value|member|constant|case))\b`)},
	{"add_method", matching(`(?i)\b(add|adds|adding|new|another|extra|further|more|additional) (an? |one )?(new |extra |further )?methods? (to|for|on) §symbol\b`)},
	{"add_parameter", matching(`(?i)\b(add|adds|adding|new|another|extra|further|more|additional) (an? |one )?((new|extra|further|required|mandatory|optional) )*(parameter|argument)s? (to|for|on) §symbol\b`)},
	{"add_implementation", matching(`(?i)\b(add|another|new|further|more|additional|second|third) (an? )?(new |further )?(implementation|implementer|implementor|subtype|subclass)s? (of|for|to) §symbol\b`)},
}

// impossible finds a change that the words name outright and that cannot be made to such a symbol.
func impossible(text string, s Subject) (kind string, ok bool) {
	sensible := Sensible(s.Class)
	if sensible == nil {
		return "", false
	}
	masked := markedOnly(text, s.Name)
	for _, n := range named {
		if !slices.Contains(sensible, meant(n.kind, s.Class)) && n.words.get().MatchString(masked) {
			return n.kind, true
		}
	}
	return "", false
}

// markedOnly returns a text with the mark for the symbol, also in place of what one writes around it, and single blanks.
func markedOnly(text, name string) string {
	masked := bareMark.get().ReplaceAllString(maskName(text, name), " "+markSymbol+" ")
	return strings.Join(strings.Fields(masked), " ")
}
