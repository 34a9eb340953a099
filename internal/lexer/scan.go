package lexer

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSource is the longest text that is cut, in bytes; of a longer one nothing is known but its lines. Language
// servers give up on less.
const maxSource = 64 << 20

// A scanner cuts one text.
type scanner struct {
	*dialect
	src    string
	at     int
	tokens []token
	open   []int32 // brackets that are open
	torn   bool    // a bracket has no partner, or branches of an #if leave different ones open
	frames []frame

	branches []branching     // the #if around, the outermost first
	joined   map[int32]int32 // by bracket of one branch: the one that the branch before it has opened
}

// A frame is text that code stands in: an interpolated string or an element of JSX, of which the scanner is in a hole.
// It goes on when as few brackets are open as at its start.
type frame struct {
	sort  frameSort
	depth int    // of open brackets
	quote string // sort inString: what ends it
	end   bool   // sort inTag: it is a closing tag
}

type frameSort uint8

const (
	inString   frameSort = iota
	inTag                // between < and >
	inChildren           // between tags
)

func (f *File) scan() tokens {
	if len(f.src) > min(maxSource, math.MaxInt32) {
		return tokens{}
	}
	s := scanner{dialect: f.rules(), src: f.src, tokens: make([]token, 0, len(f.src)/5)}
	for s.at < len(s.src) {
		s.next()
	}
	all := s.tokens
	if cap(all) > len(all)*5/4 { // it has grown by more than it needed
		all = append(make([]token, 0, len(all)), all...)
	}
	return tokens{all, s.torn || len(s.open) > 0 || len(s.branches) > 0}
}

// next takes one token, or white space.
func (s *scanner) next() {
	c := s.src[s.at]
	switch {
	case c == '\n':
		s.at++
		s.abandon()
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		s.at++
	case letter(c) && strings.IndexByte(s.prefixes, c) < 0:
		s.name()
	case s.comment(), s.quoted(s):
	case s.letterAt(s.at):
		s.name()
	case digit(c):
		s.number()
	case c >= utf8.RuneSelf: // an operator, or broken
		_, n := utf8.DecodeRuneInString(s.src[s.at:])
		s.emit(Punctuation, n)
	default:
		s.punctuation(c)
	}
}

// grow makes room for as many tokens as the rest of the text has if it goes on like this: lists of short names have twice as many as most
// texts.
func (s *scanner) grow() {
	expected := int(float64(len(s.tokens)) * 1.1 * float64(len(s.src)-s.at) / float64(s.at+1))
	s.tokens = slices.Grow(s.tokens, max(expected, 64))
}

// emit makes a token of the next n bytes.
func (s *scanner) emit(kind Kind, n int) {
	if len(s.tokens) == cap(s.tokens) {
		s.grow()
	}
	outer := int32(-1)
	if len(s.open) > 0 {
		outer = s.open[len(s.open)-1]
	}
	if n <= 0 {
		return
	}
	for n > maxLength { // a base64 string in a bundle
		s.tokens = append(s.tokens, token{start: int32(s.at), kindn: uint32(kind) | maxLength<<4, pair: -1, outer: outer})
		s.at, n = s.at+maxLength, n-maxLength
	}
	s.tokens = append(s.tokens, token{start: int32(s.at), kindn: uint32(kind) | uint32(n)<<4, pair: -1, outer: outer})
	s.at += n
}

// maxLength is the longest token, in bytes; what is longer is several.
const maxLength = 1<<28 - 1

// rest returns how far it is to the next end after skipping from bytes, the end included; all that is left if there is none.
func (s *scanner) rest(from int, end string) int {
	from = min(s.at+from, len(s.src))
	if i := strings.Index(s.src[from:], end); i >= 0 {
		return from + i + len(end) - s.at
	}
	return len(s.src) - s.at
}

func (s *scanner) has(prefix string) bool {
	return prefix != "" && strings.HasPrefix(s.src[s.at:], prefix)
}

func (s *scanner) peek(n int) byte {
	if s.at+n < len(s.src) {
		return s.src[s.at+n]
	}
	return 0
}

func (s *scanner) comment() bool {
	switch {
	case s.has(s.lineComment) && (s.dashes == nil || s.dashes(s.src[s.at:])):
		n := s.rest(0, "\n")
		for s.continued && strings.HasSuffix(strings.TrimRight(s.src[s.at:s.at+n], "\r\n"), `\`) && s.at+n < len(s.src) {
			n = s.rest(n, "\n")
		}
		s.emit(Comment, len(strings.TrimRight(s.src[s.at:s.at+n], "\r\n")))
	case s.has(s.openComment):
		s.emit(Comment, s.blockComment())
	default:
		return false
	}
	return true
}

func (s *scanner) blockComment() int {
	n := s.rest(len(s.openComment), s.closeComment)
	if !s.nested {
		return n
	}
	depth := 0
	for at := s.at; at < len(s.src); at++ {
		switch {
		case strings.HasPrefix(s.src[at:], s.openComment):
			depth++
			at += len(s.openComment) - 1
		case strings.HasPrefix(s.src[at:], s.closeComment):
			at += len(s.closeComment) - 1
			if depth--; depth == 0 {
				return at + 1 - s.at
			}
		}
	}
	return len(s.src) - s.at
}

// letter reports whether names start with an ASCII byte everywhere.
func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }

func digit(c byte) bool { return '0' <= c && c <= '9' }

// letterAt reports whether a name can start at an offset.
func (s *scanner) letterAt(at int) bool {
	if at >= len(s.src) {
		return false
	}
	if c := s.src[at]; c < utf8.RuneSelf {
		return letter(c) || c == '$' && s.dollars || c == '#' && s.hashes && s.letterAt(at+1)
	}
	r, _ := utf8.DecodeRuneInString(s.src[at:])
	return unicode.IsLetter(r)
}

func (s *scanner) name() {
	at := s.at + 1 // of a letter, or within its first character
	for at < len(s.src) {
		n := s.inName(at)
		if n == 0 {
			break
		}
		at += n
	}
	kind, word := Name, s.src[s.at:at]
	if s.keywords[word] {
		kind = Keyword
	}
	s.emit(kind, at-s.at)
	if s.branched && s.hashed() {
		s.branch(word)
	}
}

// hashed reports whether a # stands before the last token.
func (s *scanner) hashed() bool {
	n := len(s.tokens)
	return n > 1 && s.tokens[n-2].length() == 1 && s.src[s.tokens[n-2].start] == '#'
}

// inName returns how long the character at an offset is if a name can go on with it, else 0.
func (s *scanner) inName(at int) int {
	switch c := s.src[at]; {
	case letter(c), digit(c), c == '$' && s.dollars, c == '\'' && s.primes:
		return 1
	case c < utf8.RuneSelf:
		return 0
	case !utf8.RuneStart(c):
		return 1
	}
	r, n := utf8.DecodeRuneInString(s.src[at:])
	if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
		return n
	}
	return 0
}

func (s *scanner) number() {
	at := s.at + 1
	for at < len(s.src) {
		c := s.src[at]
		switch {
		case digit(c), letter(c):
		case c == '.' && at+1 < len(s.src) && digit(s.src[at+1]):
		case c == '\'' && s.separated && at+1 < len(s.src) && (digit(s.src[at+1]) || letter(s.src[at+1])):
		case (c == '+' || c == '-') && (s.src[at-1] == 'e' || s.src[at-1] == 'E') && !strings.HasPrefix(s.src[s.at:], "0x"):
		default:
			s.emit(Number, at-s.at)
			return
		}
		at++
	}
	s.emit(Number, at-s.at)
}

func (s *scanner) punctuation(c byte) {
	switch {
	case c == '(' || c == '[' || c == '{':
		s.emit(Punctuation, 1)
		s.open = append(s.open, int32(len(s.tokens)-1))
	case c == ')' || c == ']' || c == '}':
		s.close(c)
	case s.markup && s.tag(c):
	default:
		s.emit(Punctuation, s.operator())
	}
}

// close takes a closing bracket, and all that were left open within it.
func (s *scanner) close(c byte) {
	partner := -1
	for i := len(s.open) - 1; i >= 0 && partner < 0; i-- {
		if opposite(s.src[s.tokens[s.open[i]].start]) == c {
			partner = i
		}
	}
	s.torn = s.torn || partner < len(s.open)-1
	if partner < 0 {
		s.torn = true
		s.emit(Punctuation, 1)
		return
	}
	from := s.open[partner]
	s.open = s.open[:partner]
	s.emit(Punctuation, 1)
	s.pair(from, int32(len(s.tokens)-1))
	for len(s.frames) > 0 && s.top().depth > len(s.open) {
		s.frames = s.frames[:len(s.frames)-1]
	}
	if c == '}' && len(s.frames) > 0 && s.top().depth == len(s.open) {
		s.resume()
	}
}

func opposite(bracket byte) byte {
	switch bracket {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}

func (s *scanner) top() *frame { return &s.frames[len(s.frames)-1] }

// resume goes on with the text that a hole has interrupted.
func (s *scanner) resume() {
	switch s.top().sort {
	case inString:
		s.piece(0)
	case inChildren:
		s.children()
	}
}

// abandon gives up strings that cannot go on in another line.
func (s *scanner) abandon() {
	for len(s.frames) > 0 && s.top().sort == inString && len(s.top().quote) == 1 && s.top().quote != "`" {
		s.frames = s.frames[:len(s.frames)-1]
	}
}

// operator returns how long the operator is.
func (s *scanner) operator() int {
	if s.operators != "" {
		n := 0
		for s.at+n < len(s.src) && strings.IndexByte(s.operators, s.src[s.at+n]) >= 0 {
			n++
		}
		return max(n, 1)
	}
	for _, n := range []int{3, 2} {
		if s.at+n <= len(s.src) && composed(s.src[s.at:s.at+n]) {
			return n
		}
	}
	return 1
}

// composed returns the operators of several characters. Those with > and < are single, so that type arguments nest.
func composed(text string) bool {
	switch text {
	case "...", "===", "!==", "**=", "..=", "<=>", "??=", "&&=", "||=",
		"=>", "->", "::", "?.", "??", ":=", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "**", "..", "##",
		"+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "@=":
		return true
	}
	return false
}
