package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	sampleInterval = 250 * time.Millisecond
	restLook       = 500 * time.Millisecond
	restTicks      = 2 // hundredths of a second that a tree at rest takes between two looks
	restTime       = 20 * time.Second
)

// A usage is what a process and all its descendants take together.
type usage struct {
	own   int64  // bytes resident, of the process alone
	whole int64  // bytes resident, of the tree; pages that processes share count for each
	ticks int    // processor time so far, in hundredths of a second
	parts string // of whole, by program: "controlserver 31 MB, 2 gopls 640 MB"
}

// usageOf sums up the tree below a process.
func usageOf(root int, table map[int]process) usage {
	children := map[int][]int{}
	for pid, p := range table {
		children[p.parent] = append(children[p.parent], pid)
	}
	u := usage{own: table[root].resident}
	programs := map[string]program{}
	for open := []int{root}; len(open) > 0; {
		pid := open[len(open)-1]
		open = append(open[:len(open)-1], children[pid]...)
		u.whole += table[pid].resident
		u.ticks += table[pid].ticks
		name := table[pid].name
		programs[name] = program{programs[name].count + 1, programs[name].resident + table[pid].resident}
	}
	u.parts = listPrograms(programs)
	return u
}

// A program is the processes of one name.
type program struct {
	count    int
	resident int64
}

// listPrograms names the programs of which there is a megabyte or more, by name.
func listPrograms(programs map[string]program) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		of, count := programs[name], ""
		if of.count > 1 {
			count = fmt.Sprintf("%d ", of.count)
		}
		if of.resident >= 1<<20 {
			list = append(list, fmt.Sprintf("%s%s %s", count, escape(name), megabytes(of.resident)))
		}
	}
	return strings.Join(list, ", ")
}

// A watch keeps the peaks of a process tree. Goroutines: one samples, from watchTree until stop, which waits for it.
type watch struct {
	root func() int
	quit chan struct{}
	done chan struct{}

	mu   sync.Mutex
	peak usage
}

func watchTree(root func() int) *watch {
	w := &watch{root: root, quit: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		ticker := time.NewTicker(sampleInterval)
		defer ticker.Stop()
		for {
			w.look()
			select {
			case <-ticker.C:
			case <-w.quit:
				return
			}
		}
	}()
	return w
}

func (w *watch) look() usage {
	now := usageOf(w.root(), processTable())
	w.mu.Lock()
	defer w.mu.Unlock()
	w.peak.own, w.peak.whole = max(w.peak.own, now.own), max(w.peak.whole, now.whole)
	return now
}

// peaks returns the most that the process alone and its tree have had at any sample.
func (w *watch) peaks() (own, whole int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.peak.own, w.peak.whole
}

func (w *watch) stop() {
	close(w.quit)
	<-w.done
}

// rested returns what the tree occupies once it has had nothing to do for a while, as between two questions of a person: what it gives
// back, it gives back then.
func (w *watch) rested(ctx context.Context, l limits) usage {
	w.settled(ctx, l.rest)
	select {
	case <-time.After(cmp.Or(l.pause, restTime)):
	case <-ctx.Done():
	}
	return w.settled(ctx, l.rest)
}

// settled waits until the tree has nothing to do, up to a limit, and returns what it occupies then. A server goes on for seconds after
// it has answered.
func (w *watch) settled(ctx context.Context, limit time.Duration) usage {
	before := w.look()
	for giveUp := time.Now().Add(limit); time.Now().Before(giveUp); {
		select {
		case <-time.After(restLook):
		case <-ctx.Done():
			return before
		}
		now := w.look()
		if now.ticks-before.ticks <= restTicks {
			return now
		}
		before = now
	}
	before.parts += " (read while still at work)"
	return before
}
