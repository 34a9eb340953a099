package session

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestSilence plays what passes between us and a server. A number is how many pulses follow.
func TestSilence(t *testing.T) {
	const ready = "+load -load "
	tests := []struct{ script, want string }{
		{ready + "99", ""}, // it was not asked
		{ready + "ask 6", ""},
		{ready + "ask 7", "6s while a request"},
		{ready + "ask give-up 3", ""},
		{ready + "ask give-up 4", "3s while a request"},
		{ready + "ask 5 ask give-up 4", "8s while 2 requests"},
		{ready + "ask 5 give-up 1 give-up 3", "8s while a request"},
		{ready + "ask give-up 3 hear 99", ""},
		{ready + "ask hear give-up 99", ""}, // the answer came just before
		{ready + "ask 6 hear ask 6", ""},
		{ready + "ask give-up 3 hear ask give-up 3", ""},
		{ready + "ask give-up +search 99", ""}, // that was heard
		{ready + "+search ask give-up 6", ""},
		{ready + "+search ask give-up 7", "6s while a request"},
		{ready + "+search ask -search ask give-up 4", "3s while a request"},
		{"ask give-up 99", ""}, // it may be loading
		{"+load ask give-up 99", ""},
	}
	language := reporting()
	for _, test := range tests {
		s := &Session{wire: &wire{}, Progress: newProgress(&language)}
		got := ""
		for _, word := range strings.Fields(test.script) {
			switch name := word[1:]; {
			case word == "ask":
				s.wire.watchdog.sent()
			case word == "give-up":
				s.wire.watchdog.giveUp()
			case word == "hear":
				s.wire.watchdog.heard()
			case word[0] == '+':
				s.wire.watchdog.heard()
				s.Progress.begin(name, Task{Title: map[string]string{"load": language.LoadTitle}[name]})
			case word[0] == '-':
				s.wire.watchdog.heard()
				s.Progress.end(name, language.LoadEnd)
			default:
				pulses, err := strconv.Atoi(word)
				if err != nil {
					t.Fatal(err)
				}
				for range pulses {
					got = s.Hung(3*time.Second, time.Second)
				}
			}
		}
		if test.want != "" {
			test.want = "it gave no sign of life for " + test.want + " waited"
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.script, got, test.want)
		}
	}
}
