package scrub

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"tidepool/internal/fingerprint"
)

// Version is the version of the rules. It is raised whenever another version would find something else in a text, so that what
// was kept can be searched again.
const Version = 2

// Rules of Findings that no rule has found.
const (
	Withheld = "withheld" // the whole text, which could not be searched
	Cut      = "cut"      // the end of a text that goes on elsewhere, and may be the beginning of a secret
)

// Bounds of a search.
const (
	partLength    = 1 << 20         // bytes of a text that are searched at once
	overlapLength = 16 << 10        // bytes that a part shares with the one before; the longest secret
	defaultLimit  = 2 * time.Second // of processor time for one text
)

// Options are the settings of a Scrubber. The zero Options works.
type Options struct {
	Limit time.Duration // the processor time that the search of one text may take, about; 0: 2 s
	Allow []string      // values that are no secrets although they look like one, or are known; without white space around them
}

// A Scrubber replaces the secrets of texts. It is safe for concurrent use. Its rules take about 3 MB, from the first text on.
type Scrubber struct {
	limit time.Duration
	part  int // bytes of a text that are searched at once
	allow []string
	rules func() (*ruleSet, error)
}

// New returns a Scrubber. The rules are compiled when the first text comes.
func New(o Options) (*Scrubber, error) {
	if o.Limit < 0 {
		return nil, fmt.Errorf("scrub: a limit of %v", o.Limit)
	}
	return &Scrubber{limit: cmp.Or(o.Limit, defaultLimit), part: partLength, allow: slices.Clone(o.Allow), rules: sync.OnceValues(loadRules)}, nil
}

// A Finding says where a secret was. It never has the value.
type Finding struct {
	Rule       string // the rule's name, such as github-pat; Withheld
	Start, End int    // bytes of the text that was searched
}

// Text returns a text with [secret: kind] in place of each secret, and the places in order. A text without secrets is returned as
// it is. If the search fails or is more work than the limit, nothing of the text is returned but a sentence that says so, and the
// one Finding is Withheld.
func (s *Scrubber) Text(text string) (string, []Finding) {
	found, err := s.find(text, true, nil)
	if err != nil {
		return withheld(text, err)
	}
	return replace(text, found, func(h hit) string { return markStart + h.Rule + markEnd })
}

// withheld returns what is shown of a text that could not be searched.
func withheld(text string, err error) (string, []Finding) {
	return "[text withheld: searching it for secrets failed: " + err.Error() + "]", []Finding{{Withheld, 0, len(text)}}
}

// A hit is a Finding with the value that was found, if that is a known one.
type hit struct {
	Finding
	value fingerprint.MAC // zero: not known
}

// A budget bounds the work for one text. It counts what is looked at, not the clock: a text that was once searched is never withheld
// because the machine is busy.
type budget struct{ left time.Duration }

// Costs of work in nanoseconds, measured with texts that were made to cost much.
const (
	candidateCost = 100     // for each place that a rule looks at
	sieveCost     = 5       // for each byte that a sieve reads
	patternCost   = 100     // for each byte that an expression reads
	matchCost     = 100_000 // for each match, which allow lists judge
)

func (b *budget) spend(nanoseconds int) error {
	if b.left -= time.Duration(nanoseconds); b.left < 0 {
		return errors.New("it is too much work")
	}
	return nil
}

// find returns the secrets of a text, in order; none overlaps another one. forms: those of known forms count. No error names anything of the
// text.
func (s *Scrubber) find(text string, forms bool, known *knownValues) (found []hit, err error) {
	defer func() {
		if recover() != nil { // the value may quote the text
			found, err = nil, errors.New("the search has a fault")
		}
	}()
	if text == "" {
		return nil, nil
	}
	seek := seeker{known: known}
	if forms {
		if seek.rules, err = s.rules(); err != nil {
			return nil, err
		}
	}
	work := &budget{s.limit}
	for start := 0; ; start += s.part - overlapLength {
		end := min(start+s.part, len(text))
		in, err := seek.inPart(text[start:end], start > 0, end < len(text), work)
		if err != nil {
			return nil, err
		}
		for _, h := range in {
			if h = h.moved(start+h.Start, start+h.End); !s.allows(text[h.Start:h.End]) {
				found = append(found, h)
			}
		}
		if end == len(text) {
			return union(text, found), nil
		}
	}
}

// allows reports whether what was found is a value that is no secret.
func (s *Scrubber) allows(found string) bool {
	return len(s.allow) > 0 && slices.Contains(s.allow, strings.TrimSpace(normalize(found).text))
}

// moved returns the hit at another place.
func (h hit) moved(start, end int) hit {
	h.Start, h.End = start, end
	return h
}

// union sorts hits and joins those that overlap, or are pieces of one value; the name is that of the most telling one.
func union(text string, found []hit) []hit {
	slices.SortFunc(found, func(a, b hit) int { return cmp.Or(a.Start-b.Start, b.End-a.End, strings.Compare(a.Rule, b.Rule)) })
	var joined []hit
	for _, h := range found {
		if isMark(text[h.Start:h.End]) {
			continue
		}
		if n := len(joined); n > 0 && joined[n-1].meets(h) {
			joined[n-1].join(h)
			continue
		}
		joined = append(joined, h)
	}
	return joined
}

// meets reports whether a hit that does not begin before h belongs to it.
func (h hit) meets(next hit) bool {
	return next.Start < h.End || next.Start == h.End && next.value == h.value && h.isKnown()
}

func (h hit) isKnown() bool { return h.value != fingerprint.MAC{} }

func (h *hit) join(next hit) {
	h.End = max(h.End, next.End)
	if !h.isKnown() && next.isKnown() || !h.isKnown() && vague(h.Rule) && !vague(next.Rule) {
		h.Rule, h.value = next.Rule, next.value
	}
}

// vague reports whether a rule says little about what it has found.
func vague(rule string) bool { return rule == genericRule || rule == assignment }

const markStart, markEnd = "[secret: ", "]"

// isMark reports whether a text is what a secret was replaced by, with or without quotes.
func isMark(text string) bool {
	text = strings.Trim(text, `"'`)
	return isToken(text) || strings.HasPrefix(text, markStart) && strings.IndexByte(text, markEnd[0]) == len(text)-1
}

// replace returns a text with another one in place of each hit, and the places.
func replace(text string, found []hit, by func(hit) string) (string, []Finding) {
	if len(found) == 0 {
		return text, nil
	}
	var b strings.Builder
	var places []Finding
	at := 0
	for _, h := range found {
		b.WriteString(text[at:h.Start])
		b.WriteString(by(h))
		at = h.End
		places = append(places, h.Finding)
	}
	b.WriteString(text[at:])
	return b.String(), places
}
