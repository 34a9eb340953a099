package team

import (
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &breaker{name: "x at db.example", now: time.Now}
		begun := time.Now()
		fail := func() {
			t.Helper()
			if err := b.enter(); err != nil {
				t.Fatal(err)
			}
			b.leave(io.ErrUnexpectedEOF)
		}
		for _, pause := range []time.Duration{30, 60, 120, 240, 480, 600, 600} {
			fail()
			var away *AwayError
			if err := b.enter(); !errors.As(err, &away) || !away.Again.Equal(time.Now().Add(pause*time.Second)) {
				t.Fatalf("%+v after %v, want a pause of %v s", err, time.Since(begun), int(pause))
			}
			time.Sleep(pause*time.Second - 1)
			if b.enter() == nil {
				t.Fatal("somebody asks within the pause")
			}
			time.Sleep(time.Nanosecond)
		}
		if err := b.enter(); err != nil { // one tries for all
			t.Fatal(err)
		}
		if b.enter() == nil {
			t.Fatal("two try at the same time")
		}
		b.leave(nil)
		for range 2 {
			if err := b.enter(); err != nil {
				t.Fatal(err)
			}
		}
		b.leave(&pgconn.PgError{Code: insufficientPrivilege}) // an answer
		b.leave(nil)
		if err := b.enter(); err != nil {
			t.Fatal(err)
		}
	})
}

// Two requests that meet the same failure do not double the pause.
func TestBreakerCountsAFailureOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &breaker{now: time.Now}
		b.leave(io.EOF)
		b.leave(io.EOF)
		time.Sleep(firstPause)
		if err := b.enter(); err != nil {
			t.Fatal(err)
		}
	})
}
