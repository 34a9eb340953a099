package main

import "tidepool/teach"

// A standIn selects by rules for a scorer that was trained on what breaks, and has no opinion on topics. It says so.
type standIn struct {
	teach.Heuristic
	scorer string
}

// Name says who selects, and why.
func (s standIn) Name() string {
	return "heuristic (the scorer " + s.scorer + " only knows what breaks)"
}
