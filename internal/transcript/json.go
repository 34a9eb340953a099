package transcript

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Most bytes of a transcript are of no interest, and encoding/json checks all of a line before it decodes any. The functions
// here walk one JSON text (RFC 8259), pass over values by their quotes and brackets alone, and decode only the strings that
// are asked for. What they accept beyond the RFC is harmless here: a passed-over value is not checked inside. In BenchmarkRead
// they read 870 MB in a second of processor time from recorded transcripts, encoding/json 210 MB.

var errSyntax = errors.New("no JSON object")

// members calls visit with each member of the object that data holds, keys decoded and values as they stand, until visit
// returns false. Bytes behind the object are an error, unless visit ended the walk.
func members(data []byte, visit func(key, value []byte) bool) error {
	at := space(data, 0)
	if at == len(data) || data[at] != '{' {
		return errSyntax
	}
	for at = space(data, at+1); at < len(data) && data[at] == '"'; {
		end := passString(data, at)
		colon := space(data, max(end, 0))
		if end < 0 || colon == len(data) || data[colon] != ':' {
			return errSyntax
		}
		key := data[at+1 : end-1]
		start := space(data, colon+1)
		if end = pass(data, start); end < 0 {
			return errSyntax
		}
		if !visit(keyName(key), data[start:end]) {
			return nil
		}
		if at = space(data, end); at < len(data) && data[at] == ',' {
			at = space(data, at+1)
			if at == len(data) || data[at] != '"' {
				return errSyntax
			}
			continue
		}
		break
	}
	if at >= len(data) || data[at] != '}' || space(data, at+1) != len(data) {
		return errSyntax
	}
	return nil
}

// elements calls visit with each element of the array that data holds, as it stands. What is no array has none.
func elements(data []byte, visit func(value []byte)) {
	at := space(data, 0)
	if at == len(data) || data[at] != '[' {
		return
	}
	for at = space(data, at+1); at < len(data) && data[at] != ']'; {
		end := pass(data, at)
		if end < 0 {
			return
		}
		visit(data[at:end])
		if at = space(data, end); at < len(data) && data[at] == ',' {
			at = space(data, at+1)
		}
	}
}

// space returns the offset of the first byte from at on that is no white space.
func space(data []byte, at int) int {
	for at < len(data) && (data[at] == ' ' || data[at] == '\t' || data[at] == '\r' || data[at] == '\n') {
		at++
	}
	return at
}

// pass returns the offset behind the value that starts at an offset; -1 if it does not end.
func pass(data []byte, at int) int {
	if at >= len(data) {
		return -1
	}
	switch data[at] {
	case '"':
		return passString(data, at)
	case '{', '[':
		return passNested(data, at)
	}
	return passWord(data, at)
}

func passString(data []byte, at int) int {
	for at++; ; {
		quote := bytes.IndexByte(data[at:], '"')
		if quote < 0 {
			return -1
		}
		at += quote + 1
		back := at - 2
		for data[back] == '\\' {
			back--
		}
		if (at-2-back)%2 == 0 {
			return at
		}
	}
}

func passNested(data []byte, at int) int {
	depth := 0
	for at < len(data) {
		switch data[at] {
		case '"':
			if at = passString(data, at); at < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
		at++
	}
	return -1
}

// passWord passes over a number, true, false or null.
func passWord(data []byte, at int) int {
	start := at
	for at < len(data) && (data[at] >= '0' && data[at] <= '9' || data[at] >= 'a' && data[at] <= 'z' ||
		data[at] == '-' || data[at] == '+' || data[at] == '.' || data[at] == 'E') {
		at++
	}
	if at == start {
		return -1
	}
	return at
}

// keyName decodes a key. A plain one is not copied.
func keyName(key []byte) []byte {
	if bytes.IndexByte(key, '\\') < 0 && utf8.Valid(key) {
		return key
	}
	return []byte(unescape(key))
}

// isText reports whether a value is a string.
func isText(value []byte) bool { return len(value) > 1 && value[0] == '"' }

// isTrue reports whether a value is true.
func isTrue(value []byte) bool { return string(value) == "true" }

// text decodes a string; what is none is "".
func text(value []byte) string {
	if !isText(value) {
		return ""
	}
	return unescape(value[1 : len(value)-1])
}

// unescape decodes what stands between the quotes of a string. Invalid UTF-8 becomes U+FFFD, as in encoding/json.
func unescape(raw []byte) string {
	slash := bytes.IndexByte(raw, '\\')
	if slash < 0 && utf8.Valid(raw) {
		return string(raw)
	}
	var b strings.Builder
	b.Grow(len(raw))
	for ; slash >= 0; slash = bytes.IndexByte(raw, '\\') {
		writeValid(&b, raw[:slash])
		raw = raw[slash+writeEscape(&b, raw[slash:]):]
	}
	writeValid(&b, raw)
	return b.String()
}

func writeValid(b *strings.Builder, raw []byte) {
	if utf8.Valid(raw) {
		b.Write(raw)
		return
	}
	for len(raw) > 0 {
		r, n := utf8.DecodeRune(raw)
		b.WriteRune(r)
		raw = raw[n:]
	}
}

// writeEscape decodes the escape that raw starts with and returns its length. An unknown one stands for its letter.
func writeEscape(b *strings.Builder, raw []byte) int {
	if len(raw) < 2 {
		b.WriteByte('\\')
		return len(raw)
	}
	switch raw[1] {
	case 'b':
		b.WriteByte('\b')
	case 'f':
		b.WriteByte('\f')
	case 'n':
		b.WriteByte('\n')
	case 'r':
		b.WriteByte('\r')
	case 't':
		b.WriteByte('\t')
	case 'u':
		return writeUnicode(b, raw)
	default:
		writeValid(b, raw[1:2])
	}
	return 2
}

// writeUnicode decodes \uXXXX, or two of them that are the halves of one character. A half alone is U+FFFD.
func writeUnicode(b *strings.Builder, raw []byte) int {
	first, ok := hex4(raw)
	if !ok {
		b.WriteRune(utf8.RuneError)
		return 2
	}
	if utf16.IsSurrogate(first) {
		if second, ok := hex4(raw[6:]); ok {
			if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
				b.WriteRune(r)
				return 12
			}
		}
		first = utf8.RuneError
	}
	b.WriteRune(first)
	return 6
}

func hex4(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	return rune(n), err == nil
}
