package haskell

import (
	"strings"

	"tidepool/internal/lexer"
)

// A stretch is a run of tokens.
type stretch struct{ first, last lexer.Token }

func (s stretch) text(f *lexer.File) string {
	if s.first.Kind() == 0 || s.last.Kind() == 0 || s.last.Start() < s.first.Start() {
		return ""
	}
	var words []string
	for t := s.first; t.Kind() != 0; t = t.Next() {
		if len(words) > 0 && t.Prev().End() < t.Start() {
			words = append(words, " ")
		}
		words = append(words, t.Text())
		if t == s.last {
			break
		}
	}
	return strings.Join(words, "")
}

// cut cuts a span at the operators written so, outside of brackets.
func cut(s stretch, at string) []stretch {
	var all []stretch
	part := stretch{}
	level := s.first.Outer()
	for t := s.first; t.Kind() != 0; t = t.Next() {
		if t.Is(at) && t.Outer() == level {
			all = append(all, part)
			part = stretch{}
		} else {
			if part.first.Kind() == 0 {
				part.first = t
			}
			part.last = t
		}
		if t == s.last {
			break
		}
	}
	return append(all, part)
}

// alternatives are the constructors of data, without what is derived.
func alternatives(first, last lexer.Token) []stretch {
	for t := first; t.Kind() != 0; t = t.Next() {
		if t.Is("deriving") && t.Outer().Kind() == 0 {
			last = t.Prev()
			break
		}
		if t == last {
			break
		}
	}
	return cut(stretch{first, last}, "|")
}

// lines cuts the block behind where into its declarations: those that start in the column of the first.
func lines(first, last lexer.Token) []stretch {
	if first.Is("{") {
		return cut(stretch{first.Next(), first.Match().Prev()}, ";")
	}
	_, margin := first.Position()
	var all []stretch
	span := stretch{first: first, last: first}
	for t := first.Next(); t.Kind() != 0 && t.Prev() != last; t = t.Next() {
		if _, column := t.Position(); column <= margin && t.Line() != t.Prev().Line() && t.Outer() == first.Outer() {
			all = append(all, span)
			span = stretch{first: t}
		}
		span.last = t
	}
	return append(all, span)
}

// unqualified skips "forall a." and contexts.
func unqualified(s stretch) stretch {
	level := s.first.Outer()
	for t := s.first; t.Kind() != 0; t = t.Next() {
		if t.Outer() == level && (t.Is("=>") || t.Is(".") && s.first.Is("forall", "∀")) {
			s.first = t.Next()
		}
		if t == s.last {
			break
		}
	}
	return s
}

// atoms cuts an application into what stands side by side: names, also qualified ones, brackets, each with its !.
func atoms(s stretch) []stretch {
	var all []stretch
	atom := stretch{}
	for t := s.first; t.Kind() != 0; t = t.Next() {
		last := t
		if closing := t.Match(); closing.Kind() != 0 && closing.Start() > t.Start() {
			last = closing
		}
		joined := atom.first.Kind() != 0 && (atom.last.End() == t.Start() && (t.Is(".") || atom.last.Is(".", "'")) || atom.last.Is("!", "~"))
		if atom.first.Kind() != 0 && !joined {
			all = append(all, atom)
			atom = stretch{}
		}
		if atom.first.Kind() == 0 {
			atom.first = t
		}
		atom.last = last
		if last == s.last || t == s.last {
			break
		}
		t = last
	}
	return append(all, atom)
}
