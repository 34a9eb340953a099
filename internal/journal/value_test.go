package journal

import (
	"fmt"
	"strings"
	"testing"
)

// learn resolves an entry about workers and channels.
func (f *fixture) learn(t testing.TB, domain string, status State, goal, lesson string) Resolved {
	t.Helper()
	s := race()
	s.Domain, s.Goal, s.Hypothesis, s.Action, s.Prediction = domain, goal, "workers send on a closed channel", "wait for workers before the channel is closed", "it passes"
	if _, err := f.Start(t.Context(), conversation("s"), s); err != nil {
		t.Fatal(err)
	}
	got, err := f.Resolve(t.Context(), conversation("s"), Resolution{Status: status, Result: "as expected", Lesson: &Lesson{WhatWorked: "a wait group", Takeaway: lesson}})
	if err != nil || got.Problem != nil {
		t.Fatal(got.Problem, err)
	}
	return got
}

const value = "wait for workers before closing their channel"

func TestValuesNeedThreeExperiencesThatAgree(t *testing.T) {
	f := newFixture(t)
	judge := func(text string) Judgement {
		t.Helper()
		got, err := f.Judge(t.Context(), text)
		if err != nil || got.Why == "" {
			t.Fatalf("%+v, %v", got, err)
		}
		return got
	}
	if got := judge(value); got.Valid || got.Why != "no experience of this project is about it" {
		t.Errorf("%+v", got)
	}
	if got := judge("use the test"); got.Valid || !strings.Contains(got.Why, "the text has 0 rare words, at least 3 are needed") {
		t.Errorf("%+v", got)
	}
	f.learn(t, "debugging", Confirmed, "the pool drains", value)
	f.learn(t, "testing", Confirmed, "the queue drains", value)
	f.learn(t, "debugging", Confirmed, "the relay drains", value)
	if got := judge(value); got.Valid || got.Domain != "debugging" || got.Why != "2 experiences of debugging on it, of which 2 agree with each other; 3 must agree" {
		t.Errorf("%+v", got)
	}
	third := f.learn(t, "debugging", Confirmed, "the mailer drains", value)
	got := judge(value)
	if !got.Valid || got.Worth < 2.39 || got.Worth > 2.41 || len(got.Support) != 3 || got.Support[0] != third.ID || got.Similarity < shared {
		t.Errorf("%+v", got)
	}
	if third.Value == "" {
		t.Error("the third experience made no value")
	}
	if got := judge("prefer tabs in generated protobuf headers"); got.Valid {
		t.Errorf("%+v", got)
	}
	d := f.saved[len(f.saved)-1]
	if d.Kind != "value" || d.Content != value || d.Tags[0] != "domain:debugging" {
		t.Errorf("%+v", d)
	}
}

func TestAbandonedWorkIsLittleEvidence(t *testing.T) {
	f := newFixture(t)
	for i := range 4 {
		if got := f.learn(t, "debugging", Abandoned, fmt.Sprint("the pool drains ", i), value); got.Value != "" {
			t.Errorf("%d abandoned entries made a value", i+1)
		}
	}
	got, err := f.Judge(t.Context(), value)
	if err != nil || got.Valid || got.Why != "4 experiences of debugging agree, but are worth 0.8, and 2.4 is needed: too many were abandoned" {
		t.Errorf("%+v, %v", got, err)
	}
}
