package lsp

import (
	"path/filepath"
	"syscall"
	"testing"

	"tidepool/lsp/lsptest"
)

// An answer to a question that was asked while the server was at work is not kept, even if it comes afterwards.
func TestNamesOfAServerAtWork(t *testing.T) {
	p, dir := toyProject(t, lsptest.HoldsCheck)
	view(t, p)
	s := p.allServers()[0]
	put(t, filepath.Join(dir, "more.toy"), "def Gamma\n")
	p.main.sync()
	if err := s.flush(current(p)); err != nil {
		t.Fatal(err)
	}
	_, _, atWork := s.recall("Alpha")
	if err := syscall.Kill(current(p).PID(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	view(t, p)
	_, _, afterwards := s.recall("Alpha")
	for _, test := range []struct {
		name  string
		epoch int
		kept  bool
	}{
		{"asked while it is at work", atWork, false},
		{"asked afterwards", afterwards, true},
	} {
		s.remember("Alpha", []Symbol{{Name: "Alpha"}}, test.epoch)
		if _, kept, _ := s.recall("Alpha"); kept != test.kept {
			t.Errorf("%s: kept is %t", test.name, kept)
		}
	}
	_, _, epoch := s.recall("Beta")
	s.mu.Lock()
	s.names.forget()
	s.mu.Unlock()
	s.remember("Beta", nil, epoch)
	if _, kept, _ := s.recall("Beta"); kept {
		t.Error("an answer from before a change is kept")
	}
}
