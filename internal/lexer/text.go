package lexer

import "strings"

// plainString takes a string in one of quotes on one line, with \ before what it would end at. One that does not end
// on its line is an operator of one character: an apostrophe in a comment of a preprocessor or in JSX.
func (s *scanner) plainString(prefix int, raw bool) bool {
	quote := s.peek(prefix)
	for at := s.at + prefix + 1; at < len(s.src); at++ {
		switch c := s.src[at]; {
		case c == quote:
			s.emit(String, at+1-s.at)
			return true
		case c == '\\' && !raw && at+1 < len(s.src):
			if at++; s.src[at] == '\r' {
				at++
			}
		case c == '\n':
			s.emit(Punctuation, prefix+1)
			return true
		}
	}
	s.emit(Punctuation, prefix+1)
	return true
}

// interpolated begins a string with holes.
func (s *scanner) interpolated(prefix int, quote string) {
	s.frames = append(s.frames, frame{sort: inString, depth: len(s.open), quote: quote})
	s.piece(prefix + len(quote))
}

// piece takes a string with holes up to its end or the next hole; the first skip bytes are its beginning.
func (s *scanner) piece(skip int) {
	quote := s.top().quote
	for at := s.at + skip; at < len(s.src); at++ {
		switch {
		case strings.HasPrefix(s.src[at:], quote):
			s.frames = s.frames[:len(s.frames)-1]
			s.emit(String, at+len(quote)-s.at)
			return
		case s.src[at] == '\\':
			at++
		case s.src[at] == '\n' && len(quote) == 1 && quote != "`":
			s.frames = s.frames[:len(s.frames)-1]
			s.emit(String, at-s.at)
			return
		case quote == "`" && strings.HasPrefix(s.src[at:], "${"):
			s.hole(at + 1 - s.at)
			return
		case quote != "`" && strings.HasPrefix(s.src[at:], "{{"):
			at++
		case quote != "`" && s.src[at] == '{':
			s.hole(at - s.at)
			return
		}
	}
	s.frames = s.frames[:len(s.frames)-1]
	s.emit(String, len(s.src)-s.at)
}

// hole ends a piece of n bytes with the brace behind it.
func (s *scanner) hole(n int) {
	if n > 0 {
		s.emit(String, n)
	}
	s.punctuation('{')
}

// tag takes < and > where they are those of JSX.
func (s *scanner) tag(c byte) bool {
	switch {
	case c == '<' && s.element():
		s.openTag()
	case c == '>' && len(s.frames) > 0 && s.top().sort == inTag && s.top().depth == len(s.open):
		s.closeTag()
	default:
		return false
	}
	return true
}

// element reports whether a < begins an element: where no operator can stand, with a name or > behind it.
func (s *scanner) element() bool {
	if next := s.peek(1); next != '>' && !letter(next) || !s.operand() {
		return false
	}
	name := strings.TrimLeft(s.src[s.at+1:min(s.at+64, len(s.src))], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")
	name = strings.TrimLeft(name, " ")
	return !strings.HasPrefix(name, ",") && !strings.HasPrefix(name, "extends ") // <T,>(x: T) => …
}

// operand reports whether an operand, and no operator, is to come.
func (s *scanner) operand() bool {
	for i := len(s.tokens) - 1; i >= 0; i-- {
		last := s.tokens[i]
		text := s.src[last.start : int(last.start)+last.length()]
		switch last.kind() {
		case Comment:
			continue
		case Keyword:
			return text != "this" && text != "super" && text != "true" && text != "false" && text != "null" && text != "undefined"
		case Punctuation:
			return text != ")" && text != "]" && text != "}" && text != "++" && text != "--"
		}
		return false
	}
	return true
}

func (s *scanner) openTag() {
	s.emit(Punctuation, 1)
	end := s.at < len(s.src) && s.src[s.at] == '/'
	s.frames = append(s.frames, frame{sort: inTag, depth: len(s.open), end: end})
}

func (s *scanner) closeTag() {
	end, empty := s.top().end, s.src[s.at-1] == '/'
	s.frames = s.frames[:len(s.frames)-1]
	s.emit(Punctuation, 1)
	inside := len(s.frames) > 0 && s.top().sort == inChildren && s.top().depth == len(s.open)
	switch {
	case end && inside:
		s.frames = s.frames[:len(s.frames)-1]
		inside = len(s.frames) > 0 && s.top().sort == inChildren && s.top().depth == len(s.open)
	case !end && !empty:
		s.frames = append(s.frames, frame{sort: inChildren, depth: len(s.open)})
		inside = true
	}
	if inside {
		s.children()
	}
}

// children takes the text between tags.
func (s *scanner) children() {
	n := strings.IndexAny(s.src[s.at:], "<{")
	if n < 0 {
		n = len(s.src) - s.at
	}
	if strings.TrimSpace(s.src[s.at:s.at+n]) != "" {
		s.emit(String, n)
	} else {
		s.at += n
	}
	if s.at < len(s.src) && s.src[s.at] == '<' {
		s.openTag()
	}
}
