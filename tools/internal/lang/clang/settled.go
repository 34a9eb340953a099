package clang

import (
	"slices"
	"strings"

	"tidepool/internal/lexer"
)

// settled reports whether a bracket of a balanced file closes at the same place whichever branches of the preprocessor are taken. What a
// #define in a branch opens counts as well.
func settled(open lexer.Token) bool {
	end := open.Match().Start()
	if end == 0 { // it is opened in an #if 0
		return false
	}
	if !conditional(open.File().Text(open.Start(), end)) {
		return true
	}
	b := bracketed{optional: map[string]int{}}
	for t := open.Next(); t.Kind() != 0 && t.Start() < end; t = t.Next() {
		switch {
		case t.Prev().Is("#"):
			if !b.directive(t) {
				return false
			}
		case slices.ContainsFunc(b.around, branching.never):
		case t.Is("(", "[", "{"):
			b.depth++
		case t.Is(")", "]", "}"):
			b.depth--
			if b.least() < 0 {
				return false
			}
		}
	}
	return len(b.around)+len(b.optional) == 0
}

// A bracketed is what a bracket holds, read up to some place. All branches of an #if with an #else leave the same brackets open, or the
// file would not be balanced. An #if without one may open a bracket that another with the same condition closes.
type bracketed struct {
	depth    int            // of the brackets if all that may be left out is taken
	optional map[string]int // by condition: how many brackets are open only if it holds; less than 0: it closes others
	around   []branching    // the outermost first
}

// A branching is an #if whose #endif has not come.
type branching struct {
	before    int    // how deep the text was
	condition string // "": it has several branches, or goes on in the next line
	chosen    bool   // there is an #else
}

// least returns how deep the text is here if all is left out that opens brackets, and what closes them is not.
func (b *bracketed) least() int {
	least := b.depth
	for condition, n := range b.optional {
		if !slices.ContainsFunc(b.around, func(around branching) bool { return around.condition == condition }) {
			least -= max(n, 0)
		}
	}
	return least
}

// directive takes in the word behind a #, and returns false if not all ways to read the text are known.
func (b *bracketed) directive(word lexer.Token) bool {
	top := len(b.around) - 1
	switch text := word.Text(); {
	case strings.HasPrefix(text, "if"):
		b.around = append(b.around, branching{before: b.depth, condition: branchCondition(word)})
	case text == "define", text == "undef", strings.HasPrefix(text, "include"):
		return len(b.optional) == 0 // a condition may change
	case !strings.HasPrefix(text, "el") && text != "endif":
	case top < 0:
		return false // the bracket itself stands in a branch
	case text == "endif":
		last := b.around[top]
		b.around = b.around[:top]
		return last.chosen || b.leave(last)
	default:
		last := &b.around[top]
		b.depth, last.condition, last.chosen = last.before, "", last.chosen || text == "else"
	}
	return true
}

// never reports whether nobody takes the branch, as the lexer sees it: what is open in an #if 0 is not open behind it.
func (b branching) never() bool {
	return strings.Trim(strings.TrimPrefix(b.condition, "if "), "() ") == "0"
}

// leave takes in the end of what may be left out.
func (b *bracketed) leave(last branching) bool {
	change := b.depth - last.before
	if change == 0 {
		return true
	}
	b.optional[last.condition] += change
	if b.optional[last.condition] == 0 {
		delete(b.optional, last.condition)
	}
	return last.condition != "" && len(b.around) == 0 && b.least() >= 0
}

// branchCondition returns an #if as written, without comments, given its first word.
func branchCondition(word lexer.Token) string {
	line := word.Line()
	if strings.HasSuffix(word.File().Line(line), `\`) {
		return ""
	}
	var all []string
	for ; word.Line() == line; word = word.Next() {
		all = append(all, word.Text())
	}
	return strings.Join(all, " ")
}

// conditional reports whether a text has branches of the preprocessor, which may open a bracket twice.
func conditional(text string) bool {
	for {
		at := strings.IndexByte(text, '#')
		if at < 0 {
			return false
		}
		text = strings.TrimLeft(text[at+1:], " \t")
		if strings.HasPrefix(text, "if") || strings.HasPrefix(text, "el") || strings.HasPrefix(text, "endif") {
			return true
		}
	}
}
