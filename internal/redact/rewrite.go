package redact

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// rewrite returns JSON in which each text is what change makes of it, and whether any text differs. change gets the text and the
// name of the member that it belongs to, or that its array belongs to. Names of members stay. What change returns as it was is
// not written anew: numbers, order, white space and escapes keep their bytes. raw must be valid JSON.
func rewrite(raw json.RawMessage, change func(member, text string) string) (json.RawMessage, bool) {
	var out []byte
	copied, member := 0, ""
	for at := 0; at < len(raw); {
		if raw[at] != '"' {
			at++
			continue
		}
		end := endOfString(raw, at)
		text := decode(raw[at:end])
		switch {
		case isName(raw, end):
			member = text
		default:
			if changed := change(member, text); changed != text {
				out = append(append(out, raw[copied:at]...), encode(changed)...)
				copied = end
			}
		}
		at = end
	}
	if copied == 0 {
		return raw, false
	}
	return append(out, raw[copied:]...), true
}

// endOfString returns the offset behind the string that begins at an offset.
func endOfString(raw []byte, at int) int {
	for at++; at < len(raw); at++ {
		switch raw[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(raw)
}

// isName reports whether the string that ends at an offset is the name of a member: only there JSON has a colon.
func isName(raw []byte, end int) bool {
	rest := bytes.TrimLeft(raw[end:], " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}

// decode returns the text of a JSON string. Text that holds no escape is only copied.
func decode(literal []byte) string {
	if bytes.IndexByte(literal, '\\') < 0 && utf8.Valid(literal) {
		return string(literal[1 : len(literal)-1])
	}
	var text string
	_ = json.Unmarshal(literal, &text) // the input was found valid
	return text
}

// encode returns a text as a JSON string.
func encode(text string) []byte {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string can always be encoded
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}
