package intent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is one word of a question, or what stands for a piece of code in it.
type token struct {
	word  string // in lower case; one of the marks below for code
	text  string // as it was written
	stops bool   // punctuation that ends a phrase follows
}

// Marks that stand for pieces of code.
const (
	markSymbol = "§symbol" // the symbol that the question is about
	markType   = "§type"   // a type: []byte, int64
	markCall   = "§call"   // a name with brackets: Close(), Stat(ctx
	markCode   = "§code"   // any other name that is spelled as only code is
	markName   = "§name"   // a capitalised word inside a sentence
	markArrow  = "§arrow"  // -> or the like
	markPlus   = "§plus"
	markNumber = "§number"
)

var (
	arrowText  = matching(`^(-+>|=+>|→|⇒|~>)$`)
	plusText   = matching(`^\+(=|\d+)?$`)
	numberText = matching(`^\d+(st|nd|rd|th)?$`)
	typeText   = matching(`^(\*+[\pL\[]|&\pL|\.{3}\pL|<-\s*chan\b|\[\d*\]|map\[|func\(|chan\b|interface\s*\{|struct\s*\{|(Array|Map|Set|Promise|Record|Option|Vec|List|Dict)[<\[])`)
	callText   = matching(`^[\pL_][\pL\pN_.]*\(`)
	wordText   = matching(`[\pL\pN]+`)
	prefixText = matching(`(?i)\b(un|re|de)-(\pL)`)
	negated    = matching(`(?i)n['’]t\b`)
	possessed  = matching(`['’](s|d|ll|ve|re|m)\b`)
	asking     = matching(`(?i)(^|[.?!:;,]\s+|\b(?:and|please|pls|also)\s+)(?:(?:name|report) (all|every|each|any|those|which|what|where|who|everything|everyone)|(?:name|give me|tell me|show me|hand me) (the|them|all|every|each|any|those|which|what|where|who|how|if|everything|everyone))\b`)
	quoted     = matching("`([^`\n]+)`")
)

// tokens returns the words of a question about a symbol.
func tokens(text string, s Subject) []token {
	text = quoted.get().ReplaceAllString(text, " $1 ")
	text, written := compareSignatures(text, s)
	text = asking.get().ReplaceAllString(text, "${1}list $2$3")
	text = negated.get().ReplaceAllString(text, " not")
	text = prefixText.get().ReplaceAllString(text, "$1$2")
	var list []token
	for _, piece := range strings.Fields(maskName(text, s.Name)) {
		begins := len(list) == 0 || list[len(list)-1].stops
		for _, t := range pieceTokens(piece) {
			if !begins && capitalised(t) {
				t.word = markName
			}
			if slices.Contains(signatureMarks, t.word) {
				t.text = written
			}
			list = append(list, t)
			begins = false
		}
	}
	markTypes(list)
	return list
}

// markTypes finds the types that are words of English as well, by what stands around them: "must be any from now on".
func markTypes(list []token) {
	for i := 1; i < len(list); i++ {
		if list[i].word != "any" && list[i].word != "error" && list[i].word != "object" {
			continue
		}
		ends := list[i].stops || i+1 == len(list) || slices.Contains(afterType, list[i+1].word)
		if ends && slices.Contains(beforeType, list[i-1].word) {
			list[i].word = markType
		}
	}
}

// Words that may stand before and behind a type.
var (
	beforeType = []string{"be", "become", "becomes", "to", "as", "into", "is", "wird", "typed", markArrow}
	afterType  = []string{"from", "instead", "rather", "now", "not", "for", "and", "everywhere", "as", "what", "who", "where", "which"}
)

func capitalised(t token) bool {
	first, _ := utf8.DecodeRuneInString(t.text)
	return t.text != "I" && !strings.HasPrefix(t.word, "test") && unicode.IsUpper(first) && !strings.HasPrefix(t.word, "§")
}

// maskName puts the mark of the symbol where its name stands, whole or from any
// of its dots on. A last part that is an English word is left alone where the
// qualified name stands too: "remove field T.field".
func maskName(text, name string) string {
	parts := nameParts(name)
	if len(parts) > 1 {
		text = replaceWord(text, name, " "+markSymbol+" ")
	}
	for i := range parts {
		tail := strings.Join(parts[i:], ".")
		if i == len(parts)-1 && strings.Contains(text, markSymbol) && plainWord(tail) {
			break
		}
		text = replaceWord(text, tail, " "+markSymbol+" ")
	}
	return text
}

func nameParts(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".:#/", r) })
}

// replaceWord replaces a name wherever it stands as a word of its own.
func replaceWord(text, name, by string) string {
	for at := wordIndex(text, name, 0); at >= 0; at = wordIndex(text, name, at+len(by)) {
		text = text[:at] + by + text[at+len(name):]
	}
	return text
}

// wordIndex finds a name, from a place on, where no letter or digit touches it; -1
// if it is nowhere.
func wordIndex(text, name string, from int) int {
	for name != "" {
		i := strings.Index(text[from:], name)
		if i < 0 {
			break
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		if !inName(before) && !inName(after) {
			return i
		}
		from = i + len(name)
	}
	return -1
}

func inName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func plainWord(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLower(r) })
}

// pieceTokens returns the tokens of what stands between two blanks.
func pieceTokens(piece string) []token {
	bare := strings.TrimRight(strings.TrimLeft(piece, `("'“„`), `?!.,;:"'”“)`)
	stops := strings.ContainsAny(piece[len(piece)-1:], "?!.,;:")
	if mark := markOf(strings.TrimRight(piece, "?!.,;:"), bare); mark != "" {
		return []token{{mark, bare, stops}}
	}
	var list []token
	for _, word := range wordText.get().FindAllString(possessed.get().ReplaceAllString(piece, ""), -1) {
		t := token{word: strings.ToLower(word), text: word}
		if numberText.get().MatchString(word) {
			t.word = markNumber
		}
		list = append(list, t)
	}
	if len(list) > 0 {
		list[len(list)-1].stops = stops
	} else if stops && piece == ":" {
		return []token{{":", ":", true}}
	}
	return list
}

// markOf returns what stands for a piece that is no word; "" for a word.
func markOf(piece, bare string) string {
	switch {
	case strings.HasPrefix(piece, markSymbol):
		return markSymbol
	case slices.Contains(signatureMarks, piece):
		return piece
	case arrowText.get().MatchString(piece):
		return markArrow
	case plusText.get().MatchString(piece):
		return markPlus
	case piece == "w/o":
		return "without"
	case typeText.get().MatchString(bare), slices.Contains(builtins, bare):
		return markType
	case callText.get().MatchString(bare):
		return markCall
	case spelledAsCode(bare):
		return markCode
	}
	return ""
}

// builtins are names of types that are no English words.
var builtins = []string{
	"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "byte", "rune",
	"float32", "float64", "complex64", "complex128", "bool", "string", "number", "boolean", "bigint", "str", "float",
	"double", "char", "void", "i32", "i64", "u8", "u32", "u64", "usize", "f32", "f64",
}

// spelledAsCode recognises pkg.Name, camelCase, snake_case and calls.
func spelledAsCode(word string) bool {
	if strings.Contains(word, "_") || strings.Contains(word, "(") {
		return true
	}
	runes := []rune(word)
	for i := 1; i < len(runes); i++ {
		if unicode.IsUpper(runes[i]) && unicode.IsLower(runes[i-1]) ||
			i+1 < len(runes) && runes[i] == '.' && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1]) && len(runes) > 4 {
			return true
		}
	}
	return false
}
