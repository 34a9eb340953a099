package lexer

import (
	"slices"
	"strings"
)

// A branching is an #if whose #endif has not come. Each of its branches begins with the brackets that were open before it, as if the
// others were not there; behind the #endif those are open that the last branch has left so. Without an #else that is what stands behind
// it if a branch is taken.
type branching struct {
	start  int32   // the token
	before []int32 // brackets that were open
	torn   bool    // whether a bracket before had no partner
	never  bool    // nobody takes the branch: #if 0
	later  bool    // there is a branch before this one
	left   []int32 // the brackets that it has left open
}

// branch follows the preprocessor of C, given the word behind a #. Branches that leave other brackets open than the one before tear
// the text.
func (s *scanner) branch(word string) {
	top := len(s.branches) - 1
	switch word {
	case "if", "ifdef", "ifndef":
		s.branches = append(s.branches, branching{
			start: int32(len(s.tokens) - 1), before: slices.Clone(s.open), torn: s.torn, never: word == "if" && s.zero(),
		})
	case "elif", "elifdef", "elifndef", "else", "endif":
		if top < 0 {
			s.torn = true
			return
		}
		b := &s.branches[top]
		s.leave(b)
		if word == "endif" {
			s.branches = s.branches[:top]
			return
		}
		b.left, b.later, b.never = slices.Clone(s.open), !b.never, false
		s.open = append(s.open[:0], b.before...)
	}
}

// zero reports whether the condition that follows is 0.
func (s *scanner) zero() bool {
	line, _, _ := strings.Cut(s.src[s.at:], "\n")
	condition, _, _ := strings.Cut(line, "/") // of a comment
	return strings.Trim(condition, "() \t\r") == "0"
}

// leave compares what a branch leaves open with what the one before it has. What nobody takes leaves nothing behind.
func (s *scanner) leave(b *branching) {
	if b.never {
		s.open, s.torn = append(s.open[:0], b.before...), b.torn
		return
	}
	if !b.later {
		return
	}
	s.torn = s.torn || len(b.left) != len(s.open)
	for i := range min(len(b.left), len(s.open)) {
		here, there := s.open[i], b.left[i]
		switch {
		case here == there:
		case min(here, there) > b.start && s.src[s.tokens[here].start] == s.src[s.tokens[there].start]:
			s.join(here, there)
		default:
			s.torn = true
		}
	}
}

// join has the bracket that another branch has opened closed with the one of this branch.
func (s *scanner) join(here, there int32) {
	if s.joined == nil {
		s.joined = map[int32]int32{}
	}
	s.joined[here] = there
}

// pair makes two brackets partners. The same one may close what several branches have opened, and several may close the same.
func (s *scanner) pair(opening, closing int32) {
	s.tokens[closing].pair = opening
	for ok := true; ok; opening, ok = s.joined[opening] {
		s.tokens[opening].pair = closing
	}
}
