package intent

import (
	"strings"
	"unicode"
)

// typeAt reads the type that a text begins with, as any of our languages writes
// one, and says how long it is in bytes; "" if it begins with none. It does not
// parse: brackets are balanced, and a blank ends a type unless what stands before
// or behind it goes on.
func typeAt(text string) (string, int) {
	start := len(text) - len(strings.TrimLeft(text, " "))
	start += articleLength(text[start:])
	rest := text[start:]
	if strings.HasPrefix(rest, "`") {
		if end := strings.IndexByte(rest[1:], '`'); end > 0 {
			return strings.TrimSpace(rest[1 : end+1]), start + end + 2
		}
		return "", 0
	}
	end := 0
	for {
		end += unbroken(rest[end:])
		if end < len(rest) && rest[end] == ' ' && goesOn(rest[:end], rest[end+1:]) {
			end++
			continue
		}
		break
	}
	found := strings.TrimRight(rest[:end], "?!.,;:'\"")
	if !looksLikeType(found) {
		return "", 0
	}
	return found, start + len(found)
}

var article = matching(`(?i)^(an?|the|plain|type|of|being|is|be)\s+`)

func articleLength(text string) int {
	n := 0
	for {
		m := article.get().FindString(text[n:])
		if m == "" {
			return n
		}
		n += len(m)
	}
}

// unbroken returns the length of what ends at a blank outside brackets.
func unbroken(text string) int {
	depth := 0
	for i, r := range text {
		switch {
		case strings.ContainsRune("([{", r), r == '<' && !strings.HasPrefix(text[i:], "<-"):
			depth++
		case strings.ContainsRune(")]}", r), r == '>' && i > 0 && text[i-1] != '=' && text[i-1] != '-':
			if depth--; depth < 0 {
				return i
			}
		case unicode.IsSpace(r) && depth == 0, strings.ContainsRune("→⇒", r), strings.ContainsRune(",;", r) && depth == 0:
			return i
		}
	}
	return len(text)
}

var (
	opens     = matching(`(^|[^\w])(chan|<-chan|chan<-|keyof|readonly|typeof|unique|const|unsigned|struct|\*|\||&)$|\)\s*=>$`)
	continues = matching(`^(\||&|\[\]|\{)`)
	aside     = matching(`(?i)^\((it|is|was|were|from|to|not|now|old|new|so far|today|currently|formerly|before|instead|rather|used|at|bisher|war|ist|statt)\b`)
	result    = matching(`^(\(|\*|\[|map\[|chan\b|func\(|error\b|any\b|interface\s*\{|[\w]+\.[\pL]|[\pL]\w*[A-Z]|[A-Z]\w*)`)
)

// goesOn reports whether a type that is read so far does not end at a blank.
func goesOn(before, after string) bool {
	switch {
	case strings.HasPrefix(after, "=>"):
		return strings.HasSuffix(before, ")")
	case opens.get().MatchString(before), continues.get().MatchString(after):
		return true
	case aside.get().MatchString(after):
		return false
	case strings.HasSuffix(before, ")") && strings.Contains(before, "func("):
		word, _, _ := strings.Cut(after, " ")
		return isBuiltin(strings.TrimRight(word, "?!.,;:")) || result.get().MatchString(after) && !sentence.get().MatchString(after)
	}
	return false
}

// sentence matches what begins a sentence or a phrase, and no type.
var sentence = matching(`^(What|Which|Who|Where|How|Is|Are|Does|Do|I|It|We|The|Impact|And|To|Instead|Rather)\b`)

func isBuiltin(word string) bool {
	for _, b := range builtins {
		if b == word {
			return true
		}
	}
	return word == "error" || word == "any"
}

var typeName = matching(`^[\pL_][\pL\pN_]*((\.|::)[\pL_][\pL\pN_]*)*([\[<].*[\]>])?(\[\])*$`)

// looksLikeType tells a type from a word of English: it has a capital, a dot, a
// bracket, or is one that every language knows.
func looksLikeType(text string) bool {
	switch {
	case text == "", arrowText.get().MatchString(text):
		return false
	case isBuiltin(text), typeText.get().MatchString(text), strings.HasPrefix(text, "struct"):
		return true
	case strings.Contains(text, " | "), strings.Contains(text, "=>"), strings.HasPrefix(text, "unsigned "):
		return true
	case sentence.get().MatchString(text):
		return false
	}
	return typeName.get().MatchString(text) && (strings.ContainsAny(text, ".:[<_") || strings.ToLower(text) != text)
}
