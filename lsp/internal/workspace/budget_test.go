package workspace

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// The order in which servers give way. Times are seconds ago.
func TestEvictions(t *testing.T) {
	now := time.Now()
	ago := func(seconds int) time.Time { return now.Add(-time.Duration(seconds) * time.Second) }
	server := func(megabytes, needs int64, asked int) candidate {
		return candidate{footprint: footprint{bytes: megabytes << 20, needs: needs << 20}, asked: ago(asked)}
	}
	drafts := func(c candidate) candidate { c.drafts = true; return c }
	linked := func(c candidate) candidate { c.linked = true; return c }
	held := func(c candidate) candidate { c.held = true; return c }
	evicted := func(c candidate, seconds int) candidate { c.evicted[overBudget] = ago(seconds); return c }

	stop := func(index int) eviction { return eviction{index: index} }
	restart := func(index int) eviction { return eviction{index: index, restart: true} }
	for _, test := range []struct {
		name       string
		excess     int64 // megabytes
		candidates []candidate
		want       []eviction
	}{
		{"within the budget all are left alone", 0, []candidate{drafts(server(900, 100, 900)), server(900, 100, 9000)}, nil},
		{"drafts go first", 10, []candidate{server(900, 900, 900), drafts(server(50, 50, 1))}, []eviction{stop(1)}},
		{"drafts in use stay, and idle servers go", 10, []candidate{held(drafts(server(50, 50, 1))), server(900, 900, 70), server(900, 900, 1)}, []eviction{stop(1)}},
		{"worktrees go before the main tree, the longest idle first", 250,
			[]candidate{server(100, 100, 9000), linked(server(100, 100, 100)), linked(server(100, 100, 200)), server(100, 100, 1)},
			[]eviction{stop(2), stop(1), stop(0)}},
		{"no more go than are needed", 150, []candidate{drafts(server(100, 100, 5)), server(100, 100, 90), server(100, 100, 80), server(100, 100, 1)}, []eviction{stop(0), stop(1)}},
		{"one asked half a minute ago is not idle", 10, []candidate{server(900, 900, 30), server(100, 100, 1)}, nil},
		{"the one asked last stays for ten minutes", 10, []candidate{server(900, 900, 599)}, nil},
		{"and then is idle", 10, []candidate{server(900, 900, 600)}, []eviction{stop(0)}},
		{"the largest that has grown is restarted", 10, []candidate{server(900, 800, 1), server(700, 500, 2), server(600, 100, 3)}, []eviction{restart(1)}},
		{"not while somebody waits for it", 10, []candidate{server(900, 800, 1), held(server(700, 500, 2))}, nil},
		{"not if it still loads", 10, []candidate{server(900, 0, 1)}, nil},
		{"not if it needs what it occupies", 10, []candidate{server(900, 720, 1)}, nil},
		{"not again within ten minutes", 10, []candidate{evicted(server(900, 100, 1), 599), evicted(drafts(server(900, 100, 1)), 599)}, nil},
		{"but then", 10, []candidate{evicted(server(900, 100, 1), 600)}, []eviction{restart(0)}},
		{"a restart waits for what those that are stopped give back", 500, []candidate{server(900, 100, 1), drafts(server(50, 50, 1))}, []eviction{stop(1)}},
	} {
		if got := evictions(now, test.excess<<20, test.candidates); !slices.Equal(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// A playedServer is a server that loads for a minute, and occupies what its size says so long after its start.
type playedServer struct {
	footprint
	size  func(up time.Duration) int64 // megabytes
	start time.Time
	ends  []time.Duration // when it was ended, since the beginning
}

// anHour has the budget look at a server every ten seconds for an hour, while somebody asks every other second.
func anHour(budget int64, s *playedServer) {
	began := time.Now()
	s.start = began
	for time.Since(began) < time.Hour {
		time.Sleep(DefaultInterval)
		up := time.Since(s.start)
		s.measure(time.Now(), s.size(up)<<20, up > time.Minute)
		c := candidate{footprint: s.footprint, asked: time.Now().Add(-time.Second)}
		for _, r := range evictions(time.Now(), s.bytes-budget<<20, []candidate{c}) {
			s.noteEviction(time.Now(), overBudget, r.restart)
			s.end()
			s.start = time.Now()
			s.ends = append(s.ends, time.Since(began))
		}
	}
}

// Nothing thrashes: how often a server is restarted within an hour whose budget it does not keep.
func TestAnHourOverTheBudget(t *testing.T) {
	for _, test := range []struct {
		name     string
		size     func(up time.Duration) int64
		restarts int
	}{
		{"always a little more", func(time.Duration) int64 { return 1100 }, 0},
		{"ten times as much", func(time.Duration) int64 { return 10_000 }, 0},
		{"a peak while it loads", func(up time.Duration) int64 {
			if up < time.Minute {
				return 4000
			}
			return 1100
		}, 0},
		{"questions make it grow by half, after each start", func(up time.Duration) int64 {
			if up < 3*time.Minute {
				return 900
			}
			return 1350
		}, 1},
		{"a leak of 50 MB in a minute", func(up time.Duration) int64 { return 500 + int64(50*up.Minutes()) }, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &playedServer{size: test.size}
				anHour(1000, s)
				if len(s.ends) != test.restarts {
					t.Errorf("restarted after %v, want %d times", s.ends, test.restarts)
				}
				for i := 1; i < len(s.ends); i++ {
					if s.ends[i]-s.ends[i-1] < evictionPause {
						t.Errorf("restarted after %v, and again after %v", s.ends[i-1], s.ends[i])
					}
				}
			})
		})
	}
}

// The shares of the budget that servers are told.
func TestShareOf(t *testing.T) {
	const gigabyte = 1 << 30
	for _, test := range []struct {
		name             string
		budget, own, all int64
		drafting, drafts bool
		want             int64 // megabytes
	}{
		{"alone", 10 * gigabyte, 100, 100, false, false, 7680},
		{"alone, beside its drafts", 10 * gigabyte, 100, 100, true, false, 6400},
		{"the drafts", 10 * gigabyte, 100, 100, true, true, 2560},
		{"a quarter of the files", 8 * gigabyte, 50, 200, false, false, 1536},
		{"few files", 10 * gigabyte, 1, 1000, true, true, 512},
		{"a small budget", 300 << 20, 100, 100, true, false, 512},
	} {
		if got := shareOf(test.budget, test.own, test.all, test.drafting, test.drafts) >> 20; got != test.want {
			t.Errorf("%s: %d MB, want %d", test.name, got, test.want)
		}
	}
}

// A server collects its garbage once for each time that it has grown by half, and again after a restart.
func TestWorthCollecting(t *testing.T) {
	var f footprint
	for _, step := range []struct {
		megabytes int64
		worth     bool
	}{{0, false}, {800, true}, {800, false}, {500, false}, {700, false}, {400, false}, {601, true}, {900, false}, {902, true}} {
		f.measure(time.Now(), step.megabytes<<20, true)
		if got := f.isWorthCollecting(); got != step.worth {
			t.Errorf("with %d MB: %t", step.megabytes, got)
		}
		if f.isWorthCollecting() {
			f.noteCollection()
		}
	}
	f.end()
	f.measure(time.Now(), 1, false)
	if !f.isWorthCollecting() {
		t.Error("a new process is not worth it")
	}
}
