package preview

import "strings"

// A place is where a diagnostic points to, as compilers print it: path:line:column: message.
type place struct {
	path    string
	column  bool   // a column is named, too
	message string // what follows the place, without its colon
}

// placeOf reads a line that begins with path:line: or path:line:column:, as GNU's coding standards have it. The path has an
// extension, or the line could be a time or a log's prefix.
func placeOf(line string) (place, bool) {
	line = strings.TrimLeft(line, " \t")
	colon := strings.IndexByte(line, ':')
	if colon == 1 && len(line) > 2 && (line[2] == '\\' || line[2] == '/') { // C:\path
		if next := strings.IndexByte(line[2:], ':'); next >= 0 {
			colon = next + 2
		}
	}
	if colon <= 0 || !isPath(line[:colon]) {
		return place{}, false
	}
	number := digits(line[colon+1:])
	rest := line[colon+1+number:]
	if number == 0 || !strings.HasPrefix(rest, ":") {
		return place{}, false
	}
	if column := digits(rest[1:]); column > 0 && strings.HasPrefix(rest[1+column:], ":") {
		return place{line[:colon], true, strings.TrimSpace(rest[column+2:])}, true
	}
	return place{line[:colon], false, strings.TrimSpace(rest[1:])}, true
}

// isPath reports whether a word may be the path of a source file.
func isPath(word string) bool {
	dot := strings.LastIndexByte(word, '.')
	return dot >= 0 && dot < len(word)-1 && len(word) < 1000 && !strings.ContainsAny(word, " \t\"'`()[]{}<>=,;|") &&
		isLetter(word[dot+1])
}

// hasPlace reports whether a line names a file and a line in it anywhere: x.go:12, x.ts(12,5), File "x.py", line 12, x.js line 12.
func hasPlace(line string) bool {
	for at := 0; ; {
		next := strings.IndexAny(line[at:], ":(")
		if next < 0 {
			break
		}
		at += next
		if at > 2 && digits(line[at+1:]) > 0 && endsWithPath(line[:at]) {
			return true
		}
		at++
	}
	if at := strings.Index(line, " line "); at >= 0 {
		return digits(line[at+len(" line "):]) > 0
	}
	return false
}

// endsWithPath reports whether a text ends with an extension.
func endsWithPath(text string) bool {
	for n := 1; n <= 6 && n < len(text); n++ {
		c := text[len(text)-n]
		if c == '.' {
			return n > 1 && isWord(text[len(text)-n-1])
		}
		if !isLetter(c) && !isDigit(c) {
			return false
		}
	}
	return false
}

// digits returns the number of digits at the beginning of a text.
func digits(text string) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

// number returns the number at the beginning of a text, -1 if there is none or it has more than nine digits.
func number(text string) int {
	n := digits(text)
	if n == 0 || n > 9 {
		return -1
	}
	value := 0
	for _, c := range []byte(text[:n]) {
		value = value*10 + int(c-'0')
	}
	return value
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func isWord(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '_' || c == '-' || c == ')' || c == ']'
}
