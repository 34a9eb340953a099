package wording

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"Discover", "DiscoverAll", "Definitions", "Call", "call", "Registry", "scout", "questions", "Call"}
	tests := []struct {
		word string
		want string
	}{
		{"Discovr", "Discover"}, {"discover", "Discover DiscoverAll"}, {"Cal", "Call call"}, {"Zebra", ""}, {"", ""},
		{"scuot", "scout"}, {"questons", "questions"}, {"quesitons", "questions"}, {"tscou", "scout"},
	}
	for _, tt := range tests {
		if got := strings.Join(Nearest(tt.word, names, 3), " "); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.word, got, tt.want)
		}
	}
	if got := Nearest("cal", names, 1); len(got) != 1 {
		t.Errorf("got %q, want one", got)
	}
}

func TestDistanceOfWords(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "ab", 2}, {"ab", "", 2}, {"ab", "ba", 1}, {"abc", "ca", 3}, {"kitten", "sitting", 3}, {"über", "ueber", 2}, {"a", "b", 1},
	}
	for _, tt := range tests {
		if got := distance([]rune(tt.a), []rune(tt.b)); got != tt.want {
			t.Errorf("from %q to %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
