package main

import (
	"tidepool/scout"
	"tidepool/teach"
	teachgemma "tidepool/teach/gemma"
)

// Selector returns who says what belongs to a topic that is taught: the same who rates what scout finds. Its error says
// why nobody does.
func (j *judge) Selector() (teach.Selector, error) {
	switch {
	case j.err != nil:
		return nil, j.err
	case j.client != nil:
		return teachgemma.New(j.client), nil
	case j.scorer != scout.Scorer(scout.Heuristic{}):
		return standIn{scorer: j.scorer.Name()}, nil
	}
	return teach.Heuristic{}, nil
}

// A standIn selects by rules for a scorer that was trained on what breaks, and has no opinion on topics. It says so.
type standIn struct {
	teach.Heuristic
	scorer string
}

// Name says who selects, and why.
func (s standIn) Name() string {
	return "heuristic (the scorer " + s.scorer + " only knows what breaks)"
}
