package session

import (
	"context"
	"testing"
	"testing/synctest"
)

// began waits until a goroutine can go no further, and says whether done was closed by then.
func began(done chan struct{}) bool {
	synctest.Wait()
	select {
	case <-done:
		return true
	default:
		return false
	}
}

func TestTurns(t *testing.T) {
	for name, test := range map[string]struct {
		first, then func(context.Context, *turns) (end func())
		together    bool
	}{
		"questions":                               {asksDisk, asksDisk, true},
		"a client behind a question":              {asksDisk, asksAlone, false},
		"a question behind a client":              {asksAlone, asksDisk, false},
		"clients":                                 {asksAlone, asksAlone, false},
		"clients with the texts of the disk":      {asksAlike, asksAlike, false},
		"such a client behind a question":         {asksDisk, asksAlike, true},
		"a question behind such a client":         {asksAlike, asksDisk, true},
		"a client with other texts behind such a": {asksAlike, asksAlone, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				of := newTurns()
				end := test.first(t.Context(), of)
				done := make(chan struct{})
				go func() {
					defer close(done)
					test.then(t.Context(), of)()
				}()
				if got := began(done); got != test.together {
					t.Errorf("at the same time: %t", got)
				}
				end()
				if !began(done) {
					t.Error("the second never had its turn")
				}
			})
		})
	}
}

func asksDisk(ctx context.Context, of *turns) func() { return of.question(ctx) }

func asksAlone(ctx context.Context, of *turns) func() {
	release, _ := of.Take(ctx, true)
	return release
}

func asksAlike(ctx context.Context, of *turns) func() {
	release, _ := of.Take(ctx, false)
	return release
}

// A client that waits is not kept waiting by questions that come behind it, and who waits too long goes ahead.
func TestTurnsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of := newTurns()
		first := of.question(t.Context())
		over, cancel := context.WithCancel(t.Context())
		client, second := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(client)
			if release, ok := of.Take(over, true); ok {
				t.Error("a turn during a question")
				release()
			}
		}()
		synctest.Wait()
		go func() {
			defer close(second)
			of.question(t.Context())()
		}()
		if began(second) {
			t.Error("a question before a client that has waited longer")
		}
		cancel()
		if !began(client) || !began(second) {
			t.Error("a client that has given up holds up others")
		}
		impatient, cancel := context.WithCancel(t.Context())
		cancel()
		first()
		release := asksAlone(t.Context(), of)
		of.question(impatient)()
		of.question(t.Context())() // another one has waited for that client already
		release()
		if of.asking != 0 || of.waiting != 0 || of.taken {
			t.Errorf("left over: %+v", of)
		}
	})
}
