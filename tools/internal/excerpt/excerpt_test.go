package excerpt

import (
	"strings"
	"testing"
)

func TestLineIsClipped(t *testing.T) {
	if got := Line("\t" + strings.Repeat("ü", 1000)); len([]rune(got)) != maxLine+1 {
		t.Errorf("a long line has %d characters", len([]rune(got)))
	}
	if got := Line("\tshort "); got != "short" {
		t.Errorf("got %q", got)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"Discover", "DiscoverAll", "Definitions", "Call", "call", "Registry"}
	tests := []struct {
		word string
		want string
	}{
		{"Discovr", "Discover"}, {"discover", "Discover DiscoverAll"}, {"Cal", "Call call"}, {"Zebra", ""}, {"", ""},
	}
	for _, tt := range tests {
		if got := strings.Join(Nearest(tt.word, names, 3), " "); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.word, got, tt.want)
		}
	}
}
