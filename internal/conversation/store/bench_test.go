package store

import (
	"os"
	"testing"

	"tidepool/internal/transcript"
)

// BenchmarkPutTurn adds turns of some 850 bytes, 100 to a session, and reports the bytes that each takes.
func BenchmarkPutTurn(b *testing.B) {
	s := newStore(b)
	page, err := os.ReadFile("copy.go")
	if err != nil {
		b.Fatal(err)
	}
	text := func(i, size int) string { i = i * 97 % (len(page) - size); return string(page[i : i+size]) }
	n := 0
	b.ResetTimer()
	for b.Loop() {
		update(b, s, func(tx *Tx) error {
			var turns []Turn
			for i := range 100 {
				n++
				turns = append(turns, Turn{Number: i, UUID: uuid(n * 7919 % 1000003), Body: Body{User: text(n, 120), Answer: text(n*31, 600), Tools: []transcript.Tool{
					{Name: "Read", File: "/home/me/src/" + text(n*3, 10)}, {Name: "Bash", Command: text(n*5, 60)}}}})
			}
			return put(tx, uuid(n), turns...)
		})
	}
	b.StopTimer()
	c, err := s.Counts(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(c.Bytes)/float64(n), "B/turn")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n), "µs/turn")
}
