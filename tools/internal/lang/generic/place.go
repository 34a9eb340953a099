package generic

import "tidepool/internal/lexer"

// place says where a name stands in the statement with a keyword, which function it is passed to, and which switch, or first
// clause of a function, it is a pattern of.
func (r reader) place(t, keyword lexer.Token) (place, passed string, whole lexer.Token) {
	if place := r.declares(t); place != "" {
		return place, "", whole
	}
	subject, whole := r.subject(keyword), r.pattern(t, keyword)
	header := r.headers.has(keyword) && find(keyword, t, "where").Kind() == 0
	sign := find(keyword, r.last(keyword).Next(), r.signs...)
	switch {
	case header && r.path(t) == subject:
		return "subject", "", whole
	case header && class(subject) == "upper", r.typed(t), sign.Is(r.mark) && sign.Start() < t.Start() && keyword.Kind() != lexer.Keyword:
		return "typed", "", whole
	case header:
		return "header", "", whole
	case t.Start() < sign.Start() && (sign.Is(r.mark) || t == keyword && sign.Is("=", "|")):
		return "declared", "", whole
	case whole.Kind() != 0:
		return "pattern", "", whole
	}
	place, passed = r.expression(t)
	return place, passed, whole
}

// find returns the first of signs from one token up to another, the zero Token for the end of the file, outside of the
// brackets between them; none if there is none.
func find(from, to lexer.Token, signs ...string) lexer.Token {
	for t := from; t.Kind() != 0 && (to.Kind() == 0 || t.Start() < to.Start()); t = t.Next() {
		if t.Is(signs...) {
			return t
		}
		if closing := t.Match(); closing.Start() > t.Start() && (to.Kind() == 0 || closing.Start() < to.Start()) {
			t = closing
		}
	}
	return lexer.Token{}
}

// back skips the brackets that a token closes.
func back(t lexer.Token) lexer.Token {
	if open := t.Match(); open.Kind() != 0 && open.Start() < t.Start() {
		return open
	}
	return t
}

// typed goes back from a name over what types are made of, to the sign that one begins with.
func (r reader) typed(t lexer.Token) bool {
	comma := false
	for last, at := t, back(t.Prev()); ; last, at = at, back(at.Prev()) {
		encloses := at.Match().Start() > t.Start() || at.Angles().Start() > t.Start()
		switch {
		case r.juxtaposed && at.Line() < last.Line() && !at.Is("->", "=>", r.mark) && !last.Is("->", "=>"):
			return false // the line may have begun something else
		case at.Is(r.mark):
			return !comma && (r.juxtaposed || at.Outer().Is("(") || r.annotated.has(r.keyword(at)))
		case at.Is("->") && !r.juxtaposed, at.Is("<") && at.Prev().Is("::") && encloses:
			return !comma
		case at.Is("(", "[", "<"):
			comma = comma && !encloses
		case at.Is(","):
			comma = true
		case at.Kind() != lexer.Name && !r.within.has(at):
			return false
		}
	}
}

// pattern returns the match whose alternative begins with a name, the of before it, or the first clause of a function on whose
// left side it stands; none for other names.
func (r reader) pattern(t, first lexer.Token) lexer.Token {
	before, sign := r.path(t).Prev(), find(first, r.last(first).Next(), r.signs...)
	switch {
	case before.Is("of") && r.juxtaposed:
		return before
	case r.juxtaposed && (t.Start() > sign.Start() || first.Kind() == lexer.Keyword || !sign.Is("=", "|")):
		return lexer.Token{}
	case r.juxtaposed:
		for above := first.Prev().Statement(); above.Text() == first.Text() && above != first && !above.Next().Is(r.mark); {
			first, above = above, above.Prev().Statement()
		}
		return first
	case !before.Is("{", ",", "}"):
		return lexer.Token{}
	}
	brace := r.path(t).Outer()
	for at := brace.Prev(); brace.Is("{") && at.Kind() != 0 && !r.ends.has(at); at = back(at).Prev() {
		if at.Is("match") {
			return at
		}
	}
	return lexer.Token{}
}

// annotates reports whether a signature is the last thing that was begun before a name.
func (r reader) annotates(t lexer.Token) bool {
	for t = back(t.Prev()); t.Kind() != 0 && !t.Is("=", "<-", r.mark); {
		t = back(t.Prev())
	}
	return t.Is(r.mark)
}

// callee is what may be the function that a name is passed to; false if it is none for certain.
func (r reader) callee(t, before lexer.Token) (callee lexer.Token, ok bool) {
	callee = before
	if !r.juxtaposed {
		callee = t.Outer().Prev()
	}
	if callee.Is("!") {
		callee = callee.Prev()
	}
	return callee, callee.Kind() == lexer.Name && class(callee) == "lower" && !callee.Prev().Is("fn")
}

// expression tells whether an expression begins with a name for certain, or it is an argument, and of which function.
func (r reader) expression(t lexer.Token) (place, passed string) {
	upper, name := class(t) == "upper", r.path(t)
	before := name.Prev()
	callee, called := r.callee(t, before)
	switch {
	case upper && r.juxtaposed && (before.Outer().Is("{") || find(t.Next(), lineEnd(t).Next(), "=", "->", "<-").Kind() != 0 || r.annotates(t)):
		return "", "" // it may be a pattern, or in a type
	case before.Is("=") && before.Prev().Prev().Is("<", ",") && !r.juxtaposed: // Item = T
		return "", ""
	case r.starts.has(before), r.operator(before):
		return "expression", ""
	case r.juxtaposed && before.Line() == t.Line() && operand(before):
		if called && (r.starts.has(callee.Prev()) || callee.Prev().Is("(", "[")) {
			passed = callee.Text()
		}
		return "argument", passed
	case !r.juxtaposed && called && before.Is("(", ",") && (!upper || before.Is("(")):
		if t.Next().Is(",", ")") {
			passed = callee.Text()
		}
		return "argument", passed
	case !upper && before.Is("(", "[", ",") && !name.Outer().Is("{"):
		return "expression", ""
	}
	return "", ""
}
