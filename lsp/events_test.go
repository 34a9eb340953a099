package lsp

import (
	"syscall"
	"testing"
)

// Who looks after a project learns that a server has ended by itself, and that it runs again. What the server wrote is not told.
func TestEventsOfAKilledServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, shop)
	events := make(chan Event, 10)
	p := openWith(t, Options{Root: dir, Languages: []Language{gopls(t)}, Env: environment(), Events: func(e Event) { events <- e }})
	view(t, p)
	if err := syscall.Kill(p.Status()[0].PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	want := Event{Language: "go", Ended: true, What: "ended by itself; the next question starts it again"}
	if got := <-events; got != want {
		t.Errorf("got %+v", got)
	}
	if _, err := view(t, p).Symbols(t.Context(), "Cart"); err != nil {
		t.Fatal(err)
	}
	if got := <-events; got != (Event{Language: "go", What: "started again"}) {
		t.Errorf("got %+v", got)
	}
}
