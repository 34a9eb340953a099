package session

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// A watch gets every line that it wants, whatever comes between and however late it is asked for.
func TestLogWatch(t *testing.T) {
	var log serverLog
	watch := log.watch(func(line string) bool { return strings.HasPrefix(line, "want") })
	const lines = 3_000
	for i := range lines {
		fmt.Fprintf(&log, "noise\nwant %d", i) // the end of the line comes later
		log.add("noise\nnoise")
		fmt.Fprintf(&log, "\r\n")
	}
	log.add("want more")
	watch.Close()
	log.add("want what is lost")
	for i := range lines {
		if got, ok := watch.Next(t.Context()); got != fmt.Sprint("want ", i) || !ok {
			t.Fatalf("line %d: %q, %t", i, got, ok)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, want := range []string{"want more", ""} {
		if got, ok := watch.Next(ended); got != want || ok != (want != "") {
			t.Errorf("%q, %t, want %q", got, ok, want)
		}
	}
}

// What comes behind a text without an end is seen, and the text is not kept.
func TestLogWithoutLines(t *testing.T) {
	var log serverLog
	watch := log.watch(func(line string) bool { return strings.HasSuffix(line, "want") })
	for range 100 {
		fmt.Fprint(&log, strings.Repeat("x", logLineLimit/10))
		if len(log.partial) > logLineLimit {
			t.Fatalf("%d bytes are kept", len(log.partial))
		}
	}
	fmt.Fprint(&log, "want\n")
	if line, ok := watch.Next(t.Context()); !ok || len(line) > 2*logLineLimit {
		t.Errorf("%d bytes, %t", len(line), ok)
	}
}
