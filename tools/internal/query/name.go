package query

import (
	"path"
	"strconv"
	"strings"
	"unicode"
)

// A Name is what somebody wrote to mean a declaration.
type Name struct {
	Written string
	File    string // with slashes, whole or the end of a path; "": of any file
	Line    int    // in file; 0: of any
	Plain   string // see PlainName; "": any on the line
}

// ParseName takes web/src/user.ts:User.rename, user.ts:12:rename or user.ts:12 for a name in a file, and all else for
// a name.
func ParseName(written string) Name {
	file, rest, ok := cutFile(strings.TrimSpace(written))
	if !ok {
		return Name{Written: written, Plain: PlainName(written)}
	}
	n := Name{Written: written, File: path.Clean(strings.ReplaceAll(file, `\`, "/")), Plain: PlainName(rest)}
	if line, err := strconv.Atoi(rest); err == nil {
		n.Line, n.Plain = line, ""
	}
	if file, line, ok := cutFile(n.File); ok {
		if number, err := strconv.Atoi(line); err == nil {
			n.File, n.Line = file, number
		}
	}
	return n
}

// cutFile cuts at the last colon that stands alone, if what is before it may be a file: it has an extension or slash.
func cutFile(written string) (file, rest string, ok bool) {
	for i := len(written) - 2; i > 0; i-- {
		if written[i] != ':' || written[i-1] == ':' || written[i+1] == ':' {
			continue
		}
		file = written[:i]
		return file, written[i+1:], strings.ContainsRune(file, '/') || path.Ext(file) != ""
	}
	return "", "", false
}

// PlainName writes a name with dots between its parts and nothing else: (*T[K]).M, ns::T<K>::m, T#m and <T as X>::m()
// become T.M, ns.T.m, T.m and m. Operators stay what they are.
func PlainName(name string) string {
	name = strings.ReplaceAll(strings.Join(strings.Fields(name), " "), "::", ".")
	if head, operator, ok := strings.Cut(name, "operator"); ok && !strings.ContainsFunc(operator, unicode.IsLetter) && (head == "" || strings.HasSuffix(head, ".")) {
		return strings.TrimPrefix(PlainName(head)+".", ".") + "operator" + strings.ReplaceAll(operator, " ", "") // of C++: operator<, operator()
	}
	if head, operator, ok := strings.Cut(name, "operator "); ok && (head == "" || strings.HasSuffix(head, ".")) {
		return strings.TrimPrefix(PlainName(head)+".", ".") + "operator " + operator // of C++: operator bool
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
	if depth != 0 || !strings.ContainsFunc(short, IsNamed) {
		return strings.Trim(name, "() ") // an operator: <$>
	}
	return short
}

// IsNamed reports whether a character may be part of a name that is no operator.
func IsNamed(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// BaseOf returns the M of "T.M".
func BaseOf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
