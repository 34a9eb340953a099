package journal

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkJudge judges a text by as many entries as are read at most.
func BenchmarkJudge(b *testing.B) {
	s := race()
	var entries []Entry
	for i := range mostJudged {
		e := s.entry(Owner{Session: "s"}, time.Unix(1e9, 0))
		e.Goal = fmt.Sprintf("the %s drains although peer %d of the relay hangs for minutes", e.ID, i)
		e.resolve(falsified(), time.Unix(1e9, 0))
		entries = append(entries, *e)
	}
	for b.Loop() {
		judge(value, entries)
	}
}
