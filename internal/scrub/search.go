package scrub

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Bounds of a search around a keyword, in bytes.
const (
	maxMatch = overlapLength // of a match whose beginning is known
	around   = 4 << 10       // on both sides of a keyword that does not say where the match begins
	maxLead  = 256           // of what an expression may match before its core
	maxLine  = 4 << 10       // of a line on both sides of a match, for allow lists
)

// A search looks for secrets in one text.
type search struct {
	*ruleSet
	text              string
	cutLeft, cutRight bool // the text goes on there
	known             bool // own forms are left out
	deadline          time.Time
	candidates        int
	done              []int      // by rule: where its last match ended
	wide              [][]extent // by rule: what is around keywords that do not say where a match begins
	found             []Finding
	err               error
}

// An extent is a part of a text.
type extent struct{ start, end int }

// findInPart returns the secrets of a part of a text, in its own offsets. cutLeft and cutRight: the text goes on there.
func (set *ruleSet) findInPart(part string, cutLeft, cutRight bool, deadline time.Time) ([]Finding, error) {
	normal := normalize(part)
	found, err := set.search(normal.text, cutLeft, cutRight, false, deadline)
	if err != nil {
		return nil, err
	}
	encoded, err := set.findEncoded(normal.text, deadline)
	if err != nil {
		return nil, err
	}
	found = append(found, encoded...)
	for i := range found {
		found[i].Start, found[i].End = normal.original(found[i].Start, found[i].End)
	}
	return found, nil
}

// search returns the secrets of a text. known: only gitleaks' rules count.
func (set *ruleSet) search(text string, cutLeft, cutRight, known bool, deadline time.Time) ([]Finding, error) {
	s := &search{ruleSet: set, text: text, cutLeft: cutLeft, cutRight: cutRight, known: known, deadline: deadline}
	set.keywords.find(text, s.keyword)
	for number, extents := range s.wide {
		for _, e := range extents {
			if s.err == nil {
				s.err = s.extent(number, e)
			}
		}
	}
	return s.found, s.err
}

// keyword follows the hooks of a keyword that ends at an offset. It returns false to end the search.
func (s *search) keyword(word, end int) bool {
	for _, h := range s.hooks[word] {
		if s.known && s.rules[h.rule].own {
			continue
		}
		if h.before == anywhere {
			s.widen(h.rule, end)
			continue
		}
		if at := end - h.before; at >= 0 {
			if s.err = s.candidate(h.rule, at); s.err != nil {
				return false
			}
		}
	}
	return true
}

// widen notes that a rule must look at what is around an offset.
func (s *search) widen(number, at int) {
	if s.wide == nil {
		s.wide = make([][]extent, len(s.rules))
	}
	e := extent{max(0, at-around), min(len(s.text), at+around)}
	extents := s.wide[number]
	if n := len(extents); n > 0 && e.start <= extents[n-1].end {
		extents[n-1].end = e.end
		return
	}
	s.wide[number] = append(extents, e)
}

// late returns errSlow once the deadline has passed. The clock is read for one of 64 candidates, and before each expression.
func (s *search) late(now bool) error {
	s.candidates++
	if (now || s.candidates%64 == 0) && time.Now().After(s.deadline) {
		return errSlow
	}
	return nil
}

// candidate looks whether the core of a rule matches at an offset, and then what the whole expression matches there.
func (s *search) candidate(number, at int) error {
	if s.done != nil && at < s.done[number] {
		return nil
	}
	if err := s.late(false); err != nil {
		return err
	}
	r := s.rules[number]
	c, err := r.compiled()
	if err != nil {
		return err
	}
	length, ok := c.sieve.longest(s.text[at:min(len(s.text), at+maxMatch)])
	if !ok {
		return nil
	}
	// The character before tells whether a word begins there, the one behind whether it ends.
	start := max(0, at-min(r.lead, maxLead)-utf8.UTFMax)
	end := min(len(s.text), at+length+utf8.UTFMax)
	return s.match(number, c, extent{start, end})
}

// extent looks for a rule's matches in a part of the text.
func (s *search) extent(number int, e extent) error {
	c, err := s.rules[number].compiled()
	if err != nil {
		return err
	}
	for at := e.start; at < e.end; at += around { // in pieces, since a sieve cannot be interrupted
		if err := s.late(true); err != nil {
			return err
		}
		piece := extent{at, min(e.end, at+2*around)}
		if _, ok := c.sieve.longest(s.text[piece.start:piece.end]); !ok {
			continue
		}
		if err := s.match(number, c, piece); err != nil {
			return err
		}
	}
	return nil
}

// match adds what an expression finds in a part of the text. A match that touches an end of the part may be another one in the
// whole text, where the part goes on.
func (s *search) match(number int, c *compiled, in extent) error {
	if err := s.late(true); err != nil {
		return err
	}
	r, part := s.rules[number], s.text[in.start:in.end]
	for _, match := range c.pattern.FindAllStringSubmatchIndex(part, -1) {
		if match[0] == 0 && (in.start > 0 || s.cutLeft) || match[1] == len(part) && (in.end < len(s.text) || s.cutRight) {
			continue
		}
		if s.done == nil {
			s.done = make([]int, len(s.rules))
		}
		s.done[number] = max(s.done[number], in.start+match[1])
		if start, end := r.secret(match); !s.harmless(r, in, match, part[start:end]) {
			s.found = append(s.found, Finding{r.id, in.start + start, in.start + end})
		}
	}
	return nil
}

// harmless reports whether a match is no secret after all.
func (s *search) harmless(r *rule, in extent, match []int, secret string) bool {
	if r.entropy > 0 && entropy(secret) <= r.entropy {
		return true
	}
	whole := s.text[in.start+match[0] : in.start+match[1]]
	if r.isSecret != nil && !r.isSecret(whole, secret) {
		return true
	}
	line := ""
	for _, lists := range [][]*allowList{s.allowed, r.allowed} {
		for _, list := range lists {
			if list.target == "line" && line == "" {
				line = s.lineOf(in.start+match[0], in.start+match[1])
			}
			if list.allows(secret, whole, line) {
				return true
			}
		}
	}
	return false
}

// lineOf returns the lines that a part of the text stands on.
func (s *search) lineOf(start, end int) string {
	before, behind := s.text[max(0, start-maxLine):start], s.text[end:min(len(s.text), end+maxLine)]
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	}
	if i := strings.IndexByte(behind, '\n'); i >= 0 {
		behind = behind[:i]
	}
	return before + s.text[start:end] + behind
}
