package scrub

import (
	"strings"
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
	work              *budget
	done              []int      // by rule: where its last match ended
	wide              [][]extent // by rule: what is around keywords that do not say where a match begins
	found             []Finding
	err               error
}

// An extent is a part of a text.
type extent struct{ start, end int }

// A seeker looks for secrets in parts of a text.
type seeker struct {
	rules *ruleSet     // nil: none
	known *knownValues // nil: none
}

// inPart returns the secrets of a part of a text, in its own offsets. cutLeft and cutRight: the text goes on there.
func (s seeker) inPart(part string, cutLeft, cutRight bool, work *budget) ([]hit, error) {
	normal := normalize(part)
	found, err := s.in(normal.text, cutLeft, cutRight, work)
	if err != nil {
		return nil, err
	}
	for d := range decodings(normal.text) {
		in, err := s.in(d.text, false, false, work)
		if err != nil {
			return nil, err
		}
		for _, h := range in {
			found = append(found, h.moved(d.original(h.Start, h.End)))
		}
	}
	for i, h := range found {
		found[i] = h.moved(normal.original(h.Start, h.End))
	}
	return found, nil
}

// in returns the secrets of a text.
func (s seeker) in(text string, cutLeft, cutRight bool, work *budget) ([]hit, error) {
	found, err := s.known.find(text, work)
	if err != nil || s.rules == nil {
		return found, err
	}
	forms, err := s.rules.search(text, cutLeft, cutRight, work)
	for _, f := range forms {
		found = append(found, hit{Finding: f})
	}
	return found, err
}

// search returns the secrets of known forms of a text.
func (set *ruleSet) search(text string, cutLeft, cutRight bool, work *budget) ([]Finding, error) {
	s := &search{ruleSet: set, text: text, cutLeft: cutLeft, cutRight: cutRight, work: work}
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

// candidate looks whether the core of a rule matches at an offset, and then what the whole expression matches there.
func (s *search) candidate(number, at int) error {
	if s.done != nil && at < s.done[number] {
		return nil
	}
	r := s.rules[number]
	c, err := r.compiled()
	if err != nil {
		return err
	}
	most := min(len(s.text), at+maxMatch)
	length, read, ok := c.sieve.longest(s.text[at:most], s.goesOn(most))
	if err := s.work.spend(candidateCost + read*sieveCost); err != nil || !ok {
		return err
	}
	// The character before tells whether a word begins there, the one behind whether it ends.
	start := max(0, at-min(r.lead, maxLead)-utf8.UTFMax)
	end := min(len(s.text), at+length+utf8.UTFMax)
	return s.match(number, c, extent{start, end})
}

// goesOn reports whether the text goes on at an offset.
func (s *search) goesOn(at int) bool { return at < len(s.text) || s.cutRight }

// extent looks for a rule's matches in a part of the text.
func (s *search) extent(number int, e extent) error {
	c, err := s.rules[number].compiled()
	if err != nil {
		return err
	}
	for at := e.start; at < e.end; at += around {
		piece := extent{at, min(e.end, at+2*around)}
		_, read, ok := c.sieve.longest(s.text[piece.start:piece.end], s.goesOn(piece.end))
		if err := s.work.spend(candidateCost + read*sieveCost); err != nil {
			return err
		}
		if !ok {
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
	r, part := s.rules[number], s.text[in.start:in.end]
	if err := s.work.spend(len(part) * patternCost); err != nil {
		return err
	}
	for _, match := range c.pattern.FindAllStringSubmatchIndex(part, -1) {
		if match[0] == 0 && (in.start > 0 || s.cutLeft) || match[1] == len(part) && s.goesOn(in.end) {
			continue
		}
		if s.done == nil {
			s.done = make([]int, len(s.rules))
		}
		if err := s.work.spend(matchCost); err != nil {
			return err
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
