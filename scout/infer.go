package scout

import (
	"regexp"
	"slices"
	"strings"
)

// A Subject is what a question is about, as its declaration tells. The zero
// value is one that nothing is known of.
type Subject struct {
	Name string // as the query writes it: "syntax.UnaryArithm.Op"
	Kind string // the language's word: "method", "interface"; "" if unknown
	Text string // the source line of the declaration; may be ""
}

// Infer reads from the words of a question about subject what change is meant,
// and its terms. Kind is [Other] where they do not say. It is a reading of plain
// English and can be wrong: answers show it, and a caller who knows better passes
// Change. The reasons are what it was read from, the most telling first.
func Infer(text string, subject Subject) (Change, []string) {
	return Change{Kind: inferChange(text)}, nil
}

// read settles what change is meant, once it is known what the symbols are.
func (w *walk) read() {
	q, u := &w.query, &w.understood
	root := w.roots[0]
	subject := Subject{Name: q.Symbols[0], Kind: root.Kind, Text: root.Text}
	read, because := Infer(q.Text+" "+q.Change.Detail, subject)
	if q.Change.Terms = read.Terms; u.Inferred {
		q.Change.Kind, u.Because = read.Kind, because
	}
	q.Text, q.Change.Detail = clip(q.Text, maxText), clip(q.Change.Detail, maxDetail)
	u.Change, u.Detail = q.Change.Kind, q.Change.Detail
}

var wordText = regexp.MustCompile(`[\pL]+|[.,;:!?]`)

// inferChange reads the kind of change from the words of a query; Other if they
// do not say. It is a reading of plain English and can be wrong: answers show
// it, and a caller who knows better passes Change.
//
// A sentence about a change has a verb and, soon after it, what the verb acts
// on: "takes one more argument", "drop the embedded field". The head of that
// phrase, its last known noun, decides.
func inferChange(text string) ChangeKind {
	words := plainWords(text)
	switch {
	case has(words, isRename):
		return Rename
	case has(words, isError) && has(words, isReturn), has(words, isFallible):
		return ReturnError
	}
	for i, word := range words {
		if kind := verbOn(word, objectOf(words, i)); kind != "" {
			return kind
		}
	}
	switch {
	case has(words, isBecome), has(words, isChange) && has(words, isType):
		return ChangeType
	case has(words, func(word string) bool { return nounOf(word) == parameterNoun }):
		return ChangeSignature
	case has(words, isRemove):
		return Delete
	}
	return Other
}

// objectOf is what the verb at i acts on: the phrase after it, or in the passive
// ("once the field is deleted") the last noun before.
func objectOf(words []string, i int) noun {
	if i == 0 || !wordIn(words[i-1], "is", "are", "was", "were", "be", "been", "being") {
		return headNoun(words[i+1:])
	}
	for _, word := range slices.Backward(words[:i]) {
		if n := nounOf(word); n != noNoun {
			return n
		}
		if strings.ContainsAny(word, ".,;:!?") {
			break
		}
	}
	return noNoun
}

// verbOn is the kind of change that a verb and its object make; "" if none.
func verbOn(verb string, object noun) ChangeKind {
	switch {
	case isAdd(verb):
		return map[noun]ChangeKind{
			parameterNoun: AddParameter, signatureNoun: ChangeSignature, methodNoun: AddMethod,
			variantNoun: AddVariant, implementationNoun: AddImplementation, typeNoun: AddImplementation,
		}[object]
	case isRemove(verb):
		return map[noun]ChangeKind{
			parameterNoun: ChangeSignature, signatureNoun: ChangeSignature, fieldNoun: RemoveField,
		}[object]
	case isChange(verb):
		return map[noun]ChangeKind{
			parameterNoun: ChangeSignature, signatureNoun: ChangeSignature, typeNoun: ChangeType, fieldNoun: ChangeType,
		}[object]
	case isReturn(verb) && object != noNoun:
		return ChangeSignature
	}
	return ""
}

// plainWords are the words and the punctuation of a text in lower case, without
// the names of code, which are no English: errors.Error is not about errors.
func plainWords(text string) []string {
	var prose []string
	for _, word := range strings.Fields(quotedText.ReplaceAllString(text, " ")) {
		if name := bareName(word); !spelledAsCode(name) {
			prose = append(prose, word)
		}
	}
	return wordText.FindAllString(strings.ToLower(strings.Join(prose, " ")), -1)
}

// A noun is a class of things that a change acts on.
type noun int

const (
	noNoun noun = iota
	parameterNoun
	signatureNoun
	methodNoun
	fieldNoun
	variantNoun
	implementationNoun
	typeNoun
)

// headNoun is the last known noun of the phrase that words begin with. A phrase
// ends at a preposition, at punctuation, or after seven words.
func headNoun(words []string) noun {
	head := noNoun
	for _, word := range words[:min(len(words), 7)] {
		if endsPhrase(word) {
			break
		}
		if n := nounOf(word); n != noNoun {
			head = n
		}
	}
	return head
}

func endsPhrase(word string) bool {
	return wordIn(word, "to", "on", "in", "into", "of", "for", "from", "with", "that", "which", "will", "next", "what", "and", "or") ||
		strings.ContainsAny(word, ".,;:!?")
}

func nounOf(word string) noun {
	switch {
	case stem(word, "param", "arg") || wordIn(word, "option", "options"):
		return parameterNoun
	case stem(word, "signature", "result", "return"):
		return signatureNoun
	case stem(word, "method"):
		return methodNoun
	case stem(word, "field", "embed", "attribute", "property", "properties"):
		return fieldNoun
	case stem(word, "variant", "constant", "enum", "case", "member", "value", "state"):
		return variantNoun
	case stem(word, "implement", "kind", "subtype", "subclass"):
		return implementationNoun
	case stem(word, "type"):
		return typeNoun
	}
	return noNoun
}

func isAdd(word string) bool {
	return stem(word, "introduc", "requir", "append", "extend", "accept") ||
		wordIn(word, "add", "adds", "added", "adding", "additional", "new", "extra", "another", "more",
			"takes", "take", "gets", "get", "gains", "gain", "needs", "mandatory")
}

func isRemove(word string) bool {
	return stem(word, "remov", "delet", "drop", "eliminat", "retir") || wordIn(word, "longer", "without", "gone", "rid")
}

func isChange(word string) bool   { return stem(word, "chang", "alter", "modif", "replac", "convert") }
func isBecome(word string) bool   { return stem(word, "becom") || wordIn(word, "instead") }
func isType(word string) bool     { return stem(word, "type") }
func isRename(word string) bool   { return stem(word, "renam") }
func isError(word string) bool    { return wordIn(word, "error", "errors") }
func isReturn(word string) bool   { return stem(word, "return", "propagat", "result", "yield") }
func isFallible(word string) bool { return wordIn(word, "fallible") }

func has(words []string, is func(string) bool) bool { return slices.ContainsFunc(words, is) }

func wordIn(word string, words ...string) bool { return slices.Contains(words, word) }

func stem(word string, stems ...string) bool {
	return slices.ContainsFunc(stems, func(s string) bool { return strings.HasPrefix(word, s) })
}
