package process

import (
	"context"
	"io"
	"maps"
	"os"
	"testing"
	"time"
)

// The memory of this process is told apart from that of a program it has started with its child; other processes do not count.
func TestResident(t *testing.T) {
	p, err := Launch(Program{Path: "/bin/sh", Args: []string{"-c", "cat & cat"}, Dir: t.TempDir(), Env: os.Environ()}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	sum := func() (own int64, all Child) {
		own, children := Resident(t.Context(), os.Getpid())
		return own, children[p.PID()]
	}
	own, all := sum()
	if own < 1<<20 || all.Bytes == 0 || all.Name != "sh" {
		t.Errorf("we occupy %d bytes, %+v", own, all)
	}
	p.Kill()
	if _, children := Resident(t.Context(), os.Getpid()); children[p.PID()] != (Child{}) {
		t.Errorf("after its end: %+v", children)
	}
}

func TestAncestors(t *testing.T) {
	all := []usage{{pid: 1}, {pid: 2, parent: 1}, {pid: 3, parent: 2}, {pid: 4, parent: 3}, {pid: 5, parent: 2}, {pid: 6, parent: 6}, {pid: 7, parent: 8}, {pid: 8, parent: 7}}
	for pid, want := range map[int]map[int]int{1: {2: 2, 3: 2, 4: 2, 5: 2}, 2: {3: 3, 4: 3, 5: 5}, 4: {}, 6: {}, 7: {8: 8}, 9: {}} {
		if got := ancestors(all, pid); !maps.Equal(got, want) {
			t.Errorf("of %d: %v, want %v", pid, got, want)
		}
	}
}

// One look at all processes is cheap enough to be had every ten seconds.
func BenchmarkResident(b *testing.B) {
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	for b.Loop() {
		Resident(ctx, os.Getpid())
	}
}
