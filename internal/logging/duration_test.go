package logging

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                             "0s",
		7:                             "7ns",
		1234:                          "1.23µs",
		999_999:                       "1ms",
		4390429589:                    "4.39s",
		-4390429589:                   "-4.39s",
		59*time.Second + 999_000_000:  "1m0s",
		61*time.Second + 400_000_000:  "1m1s",
		30*time.Hour + 14*time.Second: "30h0m14s",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%d: %s, want %s", d, got, want)
		}
	}
}

// A log is read by people, who do not count nanoseconds.
func TestDurationsInTheLog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.log")
	log := open(t, Options{File: file})
	log.Info("call", "took", 4390429589*time.Nanosecond, slog.Group("of", "wait", 1500*time.Microsecond))
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := `"took":"4.39s","of":{"wait":"1.5ms"}}`; !strings.Contains(string(data), want) {
		t.Errorf("the log has no %s: %s", want, data)
	}
	var terminal bytes.Buffer
	open(t, Options{Terminal: &terminal}).Info("call", "took", 4390429589*time.Nanosecond)
	if !strings.Contains(terminal.String(), "took=4.39s") {
		t.Errorf("the terminal has %s", terminal.String())
	}
}
