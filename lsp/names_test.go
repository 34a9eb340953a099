package lsp

import (
	"path/filepath"
	"syscall"
	"testing"

	"tidepool/lsp/lsptest"
)

// An answer to a question that was asked while the server was at work is not kept, even if it comes afterwards.
func TestNamesOfAServerAtWork(t *testing.T) {
	t.Parallel()
	p, dir := toyProject(t, lsptest.HoldsCheck)
	view(t, p)
	s := p.workspace.Servers()[0]
	put(t, filepath.Join(dir, "more.toy"), "def Gamma\n")
	p.workspace.Main.Sync()
	if err := s.Flush(current(p)); err != nil {
		t.Fatal(err)
	}
	_, _, atWork := s.Recall("Alpha")
	if err := syscall.Kill(current(p).PID(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	view(t, p)
	_, _, afterwards := s.Recall("Alpha")
	for _, test := range []struct {
		name  string
		epoch int
		kept  bool
	}{
		{"asked while it is at work", atWork, false},
		{"asked afterwards", afterwards, true},
	} {
		s.Remember("Alpha", []Symbol{{Name: "Alpha"}}, test.epoch)
		if _, kept, _ := s.Recall("Alpha"); kept != test.kept {
			t.Errorf("%s: kept is %t", test.name, kept)
		}
	}
	_, _, epoch := s.Recall("Beta")
	s.Forget()
	s.Remember("Beta", nil, epoch)
	if _, kept, _ := s.Recall("Beta"); kept {
		t.Error("an answer from before a change is kept")
	}
}
