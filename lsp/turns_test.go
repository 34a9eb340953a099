package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
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
	release, _ := of.take(ctx, true)
	return release
}

func asksAlike(ctx context.Context, of *turns) func() {
	release, _ := of.take(ctx, false)
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
			if release, ok := of.take(over, true); ok {
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

// While a question about the disk is with a server that takes turns, no text of a client reaches it, and the other way
// round.
func TestTextsReachNoQuestionOfOthers(t *testing.T) {
	for name, d := range dialects() {
		if name == "go" { // takes none
			continue
		}
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, d.files)
			path := filepath.Join(dir, "away", "caller"+d.ext)
			put(t, path, fmt.Sprintf(d.caller, "../", 1))
			p := open(t, dir, d.language(t))
			v := view(t, p)
			alpha := one(t, v, "Alpha").Location
			disk, err := v.References(t.Context(), alpha, false)
			if err != nil {
				t.Fatal(err)
			}
			client, live := greeted(t, p), current(p)
			client.open(path, strings.ReplaceAll(fmt.Sprintf(d.caller, "../", 1), "Alpha(1)", "Alpha(1) + Alpha(2)"))
			at := alpha.Range.Start
			ask := func() string { return client.references(alpha.Path, at.Line-1, at.Column-1) }
			theirs := ask()
			if strings.Count(theirs, "caller") != len(disk)+1 {
				t.Fatalf("the client sees %s, the disk has %v", theirs, brief(dir, disk))
			}
			end := live.turn(t.Context())
			if err := live.onDisk(aboutNoText(t.Context())); err != nil {
				t.Fatal(err)
			}
			answer := make(chan string, 1)
			go func() { answer <- ask() }()
			eventually(t, "the client waits", func() bool {
				live.turns.mu.Lock()
				defer live.turns.mu.Unlock()
				return live.turns.waiting > 0
			})
			if _, ok := live.documents.asOnDisk(path); !ok {
				t.Error("the server has the text of the client before it has answered a question about the disk")
			}
			end()
			if got := <-answer; got != theirs {
				t.Errorf("the client sees %s, and then %s", theirs, got)
			}
			if again, err := view(t, p).References(t.Context(), alpha, false); err != nil || len(again) != len(disk) {
				t.Errorf("tools see %v, %v; want %v", brief(dir, again), err, brief(dir, disk))
			}
		})
	}
}
