package main

import (
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
	}
	return teach.Heuristic{}, nil
}
