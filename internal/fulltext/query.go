package fulltext

import (
	"slices"
	"strings"
)

// Limits of a query.
const (
	maxQueryBytes = 16 << 10
	maxTerms      = 64 // the rarest count
	maxPhrases    = 8
	defaultLimit  = 10
)

// A Query says what to look for. Its functions are called while the index is locked, and must not use it; Fields is called later.
type Query struct {
	// Text has the words. A document with any of them matches. What stands in quotation marks must occur as it stands, but for case,
	// marks, spaces and punctuation. At most 16 KB are read, 64 terms and 8 phrases count.
	Text  string
	Limit int // hits; 0: 10

	Only []Field // in which fields words count; nil: all. A document with none of the words there does not match

	Among  Set                    // the documents that are searched; nil: all
	Keep   func(id uint32) bool   // which of these; nil: all. It is asked of each document with a word, which takes longer than Among
	Demote func(id uint32) bool   // which come after others of equal score; nil: none
	Above  func(a, b uint32) bool // which of two equals comes first; nil: the higher number

	// Fields returns the texts of a document, in which phrases are looked for, but for those not in Only; nil if it is gone. An index
	// holds no texts: without Fields, no document matches a phrase, and all that may are counted as unchecked.
	Fields func(id uint32) []string

	// Also are documents that are searched in the place of those of the same numbers. They do not change what a word counts.
	Also []Document
}

// A Document is the texts of a document's fields.
type Document struct {
	ID     uint32
	Fields []string
}

// A question is a query cut into terms.
type question struct {
	terms   []queryTerm // distinct
	phrases [][]string
	ignored []string
}

type queryTerm struct {
	text     string
	surface  string // how the query spells it
	place    int    // among the terms of the query
	end      int    // of the surface, in the query
	required bool   // it is of a phrase
	seen     int    // documents of the index with it
	known    bool   // a document has it, of the index or of the query
	dropped  bool   // it counts for nothing: there are too many
}

// ask cuts a query.
func (q *Query) ask() *question {
	text := q.Text
	if len(text) > maxQueryBytes {
		text = text[:cutAt(text, maxQueryBytes)]
	}
	a := &question{}
	for rest := text; rest != ""; {
		before, phrase, after := cutPhrase(rest)
		a.words(before, len(text)-len(rest), false)
		if phrase != "" {
			a.phrase(phrase, len(text)-len(after)-len(phrase))
		}
		rest = after
	}
	if len(a.phrases) > maxPhrases {
		a.phrases = a.phrases[:maxPhrases]
	}
	return a
}

// cutPhrase returns what stands before the first pair of quotation marks, between and behind them.
func cutPhrase(text string) (before, phrase, after string) {
	start := strings.IndexAny(text, "\"“”")
	if start < 0 {
		return text, "", ""
	}
	opening := start + lengthAt(text, start)
	length := strings.IndexAny(text[opening:], "\"“”")
	if length < 0 {
		return text, "", ""
	}
	end := opening + length
	return text[:start], text[opening:end], text[end+lengthAt(text, end):]
}

func lengthAt(text string, i int) int {
	if text[i] == '"' {
		return 1
	}
	return len("“")
}

func (a *question) phrase(text string, offset int) {
	if pieces := piecesOf(text); len(pieces) > 0 {
		a.phrases = append(a.phrases, pieces)
		a.words(text, offset, true)
	}
}

// words adds the terms of a part of the query that starts at an offset. Of a phrase, terms that stand beside others are not required.
func (a *question) words(text string, offset int, phrase bool) {
	var c cutter
	for r, ok := nextRun(text, 0); ok; r, ok = nextRun(text, r.end) {
		found := false
		c.emit = func(t token) {
			found = true
			a.add(queryTerm{
				text: string(t.term), surface: text[t.start:t.end], end: offset + t.end, required: phrase && !t.extra,
			})
		}
		if c.run(text, r); !found && !phrase {
			a.ignored = append(a.ignored, text[r.start:r.end])
		}
	}
}

func (a *question) add(t queryTerm) {
	if i := slices.IndexFunc(a.terms, func(o queryTerm) bool { return o.text == t.text }); i >= 0 {
		a.terms[i].required = a.terms[i].required || t.required
		return
	}
	t.place = len(a.terms)
	a.terms = append(a.terms, t)
}
