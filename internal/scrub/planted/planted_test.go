package planted

import (
	"slices"
	"strings"
	"testing"
)

func TestCases(t *testing.T) {
	tuning, apart := Tuning(), Apart()
	if n := len(tuning) + len(apart); n < 65 || len(apart) < n/2-1 {
		t.Errorf("%d kinds, %d of them apart", n, len(apart))
	}
	names := make(map[string]bool)
	for _, c := range Cases(slices.Concat(tuning, apart), 1) {
		if names[c.Kind] {
			t.Errorf("%s is there twice", c.Kind)
		}
		names[c.Kind] = true
		if len(c.Secrets) == 0 || strings.ContainsAny(c.Text, "«»") || !c.Shows(c.Text) || c.Shows("") {
			t.Errorf("%+v", c)
		}
		for _, secret := range c.Secrets {
			if !strings.Contains(c.Text, secret) || len(secret) < 8 {
				t.Errorf("%s: %q in %q", c.Kind, secret, c.Text)
			}
		}
	}
}

// A secret of which a third is left is shown.
func TestShows(t *testing.T) {
	c := Case{Text: "x 0123456789abcdefghij y", Secrets: []string{"0123456789abcdefghij"}}
	for text, want := range map[string]bool{"x y": false, "x 0123456": false, "x 01234567": true, "x cdefghij": true, "abcdefgh": true} {
		if got := c.Shows(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	if found, shown := Recall([]Case{c, c}, func(string) string { return "nothing" }); found != 2 || shown != nil {
		t.Errorf("%d, %q", found, shown)
	}
	c.Kind = "a kind"
	if found, shown := Recall([]Case{c}, strings.ToLower); found != 0 || !slices.Equal(shown, []string{"a kind"}) {
		t.Errorf("%d, %q", found, shown)
	}
}
