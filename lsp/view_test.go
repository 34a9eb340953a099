package lsp

import (
	"testing"

	"tidepool/lsp/lsptest"
)

// A server that is waited for is at work; what it says afterwards is worth no less for that, whoever has answered
// in the meantime.
func TestWaitingForAServerIsNoDoubt(t *testing.T) {
	dir, h := t.TempDir(), newHeld()
	write(t, dir, "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- m.go --\npackage m\n\nfunc Both() {}\n-- toy.mod --\n-- main.toy --\ndef Both\n")
	slow := toy(lsptest.Mute)
	slow.LoadTitle, slow.CheckTitle, slow.Probe = "", "", h.probe
	p := open(t, dir, gopls(t), slow)
	<-h.began
	v, err := p.View(t.Context(), ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan error)
	go func() {
		_, err := v.Symbols(t.Context(), "Both")
		asked <- err
	}()
	eventually(t, "gopls has answered", func() bool {
		_, ok, _ := v.wanted[0].recall("Both")
		return ok
	})
	h.ends <- nil
	if err := <-asked; err != nil {
		t.Fatal(err)
	}
	if c := v.Completeness(); c.State != Complete {
		t.Errorf("got %+v, want complete", c)
	}
}
