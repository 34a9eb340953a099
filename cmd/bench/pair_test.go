package main

import (
	"errors"
	"testing"
	"time"
)

// A round that is slow for both sides, or for one alone, moves no figure.
func TestPairs(t *testing.T) {
	var order []string
	times := map[string][]time.Duration{"ours": {900, 12, 120, 33, 700}, "theirs": {1, 10, 100, 30, 20}}
	play := func(name string) side {
		return func(round int) (time.Duration, error) {
			order = append(order, name)
			return times[name][round] * time.Millisecond, nil
		}
	}
	p, err := alternate(4, 1, play("ours"), play("theirs"))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.ours) != 4 || p.ratio() != 1.2 || p.difference() != 20*time.Millisecond {
		t.Errorf("%v, %v, %v", p.ours, p.ratio(), p.difference())
	}
	if order[0] != "ours" || order[2] != "theirs" || order[4] != "ours" {
		t.Errorf("each is to be first in turn: %v", order)
	}
	if f := p.atMost(1.1); f.held || f.ratio != "1.20×" || f.detail != "120ms against 30ms, medians of 4" {
		t.Errorf("%+v", f)
	}
	failure := errors.New("no server")
	if _, err := alternate(1, 0, play("ours"), func(int) (time.Duration, error) { return 0, failure }); err != failure {
		t.Errorf("error %v", err)
	}
}
