package tools

import (
	"strings"
	"unicode"
)

// plainName writes a name with dots between its parts and nothing else: (*T[K]).M, ns::T<K>::m, T#m and <T as X>::m()
// become T.M, ns.T.m, T.m and m. Operators stay what they are.
func plainName(name string) string {
	name = strings.ReplaceAll(strings.Join(strings.Fields(name), " "), "::", ".")
	if head, operator, ok := strings.Cut(name, "operator"); ok && !strings.ContainsFunc(operator, unicode.IsLetter) && (head == "" || strings.HasSuffix(head, ".")) {
		return strings.TrimPrefix(plainName(head)+".", ".") + "operator" + strings.ReplaceAll(operator, " ", "") // of C++: operator<, operator()
	}
	var plain strings.Builder
	depth := 0 // of brackets with types in them
	for i, r := range name {
		switch {
		case r == '[' || r == '<':
			depth++
		case r == ']' || r == '>':
			depth--
		case depth > 0 || strings.ContainsRune("(*) ", r):
		case r == '#' && i > 0 && name[i-1] != '.': // User.#secret is the name of a private field
			plain.WriteByte('.')
		default:
			plain.WriteRune(r)
		}
	}
	short := strings.Trim(plain.String(), ".")
	if depth != 0 || !strings.ContainsFunc(short, isNamed) {
		return strings.Trim(name, "() ") // an operator: <$>
	}
	return short
}

func isNamed(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }
