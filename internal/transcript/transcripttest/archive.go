package transcripttest

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"time"
)

// A Session is one file of an archive, which [Write] and [Generate] make from its seed and options.
type Session struct {
	Path    string // below the directory of all projects, parted by slashes
	Seed    uint64
	Options Options
}

// Archive returns sessions of one project that hold at least so many turns together, the oldest first, an hour apart. A session
// has 12 turns in the median and 150 at the 99th percentile.
func Archive(seed uint64, turns int, cwd string) iter.Seq[Session] {
	return func(yield func(Session) bool) {
		r := rand.New(rand.NewPCG(seed, 0x61726368))
		start := time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)
		slug := slugOf(cwd)
		for n := 0; turns > 0; n++ {
			o := Options{Cwd: cwd, Start: start.Add(time.Duration(n) * time.Hour), Turns: min(turns, 1+int(math.Exp(2.4+1.1*r.NormFloat64())))}
			o.Session = fmt.Sprintf("%08x-%04x-4000-8000-%012x", uint32(seed)^uint32(n*2654435761), n>>16&0xffff, n)
			if !yield(Session{Path: slug + "/" + o.Session + ".jsonl", Seed: r.Uint64(), Options: o}) {
				return
			}
			turns -= o.Turns
		}
	}
}

// slugOf returns the name that Claude Code gives the directory of a project.
func slugOf(cwd string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, cwd)
}
