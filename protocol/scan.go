package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
)

// maxDepth bounds nesting, so that a hostile line cannot exhaust the stack.
// encoding/json stops at the same depth.
const maxDepth = 10000

// A field is one member of a scanned object. Value aliases the scanned bytes.
type field struct {
	key   []byte
	value []byte
}

// scanObject appends the members of the JSON object in data to dst, in one
// pass that also checks that data is valid JSON (RFC 8259) and nothing more.
// Of members with the same name the last one counts. An object with more than
// most members is [errTooManyFields]: a line of 16 MiB has room for three million
// of them, and a field is ten times as large as the shortest member.
//
// One pass is the point: an envelope with a json.RawMessage inside costs
// encoding/json three scans of the whole line, which alone would break the
// bound on the cost of a hook (go test -bench Decode ./protocol).
func scanObject(dst []field, data []byte, most int) ([]field, error) {
	s := scanner{data: data, most: most}
	dst, err := s.object(dst)
	if err != nil {
		return nil, err
	}
	s.space()
	if s.pos < len(data) {
		return nil, s.unexpected("after the object")
	}
	return dst, nil
}

// errTooManyFields is returned for an object with more members than allowed.
var errTooManyFields = errors.New("it has too many fields")

type scanner struct {
	data []byte
	pos  int
	most int // members of the outermost object
}

// object scans the outermost object and collects its members.
func (s *scanner) object(dst []field) ([]field, error) {
	s.space()
	if !s.take('{') {
		return nil, s.unexpected("where an object should begin")
	}
	s.space()
	if s.take('}') {
		return dst, nil
	}
	for {
		key, value, err := s.member(0)
		if err != nil {
			return nil, err
		}
		name, err := unquoteKey(key)
		if err != nil {
			return nil, err
		}
		if len(dst) == s.most {
			return nil, errTooManyFields
		}
		dst = append(dst, field{name, value})
		if s.take('}') {
			return dst, nil
		}
		if !s.take(',') {
			return nil, s.unexpected("after an object's member")
		}
	}
}

// member scans `"key": value` with the white space around both.
func (s *scanner) member(depth int) (key, value []byte, err error) {
	s.space()
	start := s.pos
	if err := s.text(); err != nil {
		return nil, nil, err
	}
	key = s.data[start:s.pos]
	s.space()
	if !s.take(':') {
		return nil, nil, s.unexpected("after an object's key")
	}
	s.space()
	start = s.pos
	if err := s.value(depth + 1); err != nil {
		return nil, nil, err
	}
	value = s.data[start:s.pos]
	s.space()
	return key, value, nil
}

// value scans a value of any type at a depth of nesting.
func (s *scanner) value(depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	if s.pos == len(s.data) {
		return s.unexpected("where a value should begin")
	}
	switch c := s.data[s.pos]; {
	case c == '"':
		return s.text()
	case c == '{':
		return s.members(depth)
	case c == '[':
		return s.elements(depth)
	case c == 't':
		return s.literal("true")
	case c == 'f':
		return s.literal("false")
	case c == 'n':
		return s.literal("null")
	case c == '-' || isDigit(c):
		return s.number()
	}
	return s.unexpected("where a value should begin")
}

// members scans a nested object without collecting anything.
func (s *scanner) members(depth int) error {
	s.pos++
	s.space()
	if s.take('}') {
		return nil
	}
	for {
		if _, _, err := s.member(depth); err != nil {
			return err
		}
		if s.take('}') {
			return nil
		}
		if !s.take(',') {
			return s.unexpected("after an object's member")
		}
	}
}

// elements scans an array.
func (s *scanner) elements(depth int) error {
	s.pos++
	s.space()
	if s.take(']') {
		return nil
	}
	for {
		s.space()
		if err := s.value(depth + 1); err != nil {
			return err
		}
		s.space()
		if s.take(']') {
			return nil
		}
		if !s.take(',') {
			return s.unexpected("after an array's element")
		}
	}
}

// text scans a string with its quotes.
func (s *scanner) text() error {
	if !s.take('"') {
		return s.unexpected("where a string should begin")
	}
	for {
		rest := s.data[s.pos:]
		i := 0
		for i < len(rest) && rest[i] != '"' && rest[i] != '\\' && rest[i] >= ' ' {
			i++
		}
		s.pos += i
		if i == len(rest) {
			return s.unexpected("inside a string")
		}
		switch rest[i] {
		case '"':
			s.pos++
			return nil
		case '\\':
			if err := s.escape(); err != nil {
				return err
			}
		default:
			return s.unexpected("inside a string")
		}
	}
}

func (s *scanner) escape() error {
	s.pos++
	if s.pos == len(s.data) {
		return s.unexpected("inside an escape")
	}
	switch s.data[s.pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos++
		return nil
	case 'u':
		s.pos++
		for range 4 {
			if s.pos == len(s.data) || !isHex(s.data[s.pos]) {
				return s.unexpected("inside a \\u escape")
			}
			s.pos++
		}
		return nil
	}
	return s.unexpected("inside an escape")
}

func (s *scanner) number() error {
	s.take('-')
	if !s.take('0') && !s.digits() {
		return s.unexpected("inside a number")
	}
	if s.take('.') && !s.digits() {
		return s.unexpected("after a decimal point")
	}
	if s.take('e') || s.take('E') {
		_ = s.take('+') || s.take('-')
		if !s.digits() {
			return s.unexpected("inside an exponent")
		}
	}
	return nil
}

func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.data) && isDigit(s.data[s.pos]) {
		s.pos++
	}
	return s.pos > start
}

func (s *scanner) literal(word string) error {
	for i := range len(word) {
		if !s.take(word[i]) {
			return s.unexpected("inside " + word)
		}
	}
	return nil
}

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// take consumes c if it is the next byte.
func (s *scanner) take(c byte) bool {
	if s.pos < len(s.data) && s.data[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) unexpected(where string) error {
	if s.pos >= len(s.data) {
		return fmt.Errorf("the input ends %s (offset %d)", where, s.pos)
	}
	return fmt.Errorf("unexpected %q %s (offset %d)", s.data[s.pos], where, s.pos)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// unquoteKey is unquote without a copy, for text that outlives the result.
func unquoteKey(text []byte) ([]byte, error) {
	if !isPlain(text) {
		s, err := unquote(text)
		return []byte(s), err
	}
	return text[1 : len(text)-1], nil
}

func isPlain(text []byte) bool {
	for _, c := range text {
		if c == '\\' || c >= 0x80 {
			return false
		}
	}
	return true
}

// unquote decodes a scanned JSON string.
func unquote(text []byte) (string, error) {
	if !isPlain(text) {
		var s string
		err := json.Unmarshal(text, &s)
		return s, err
	}
	return string(text[1 : len(text)-1]), nil
}
