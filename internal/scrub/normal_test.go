package scrub

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// hiddenTexts are what a terminal does not show.
func hiddenTexts() []string {
	return []string{"\r", "\x1b[0m", "\x1b[1;31m", "\x1b[38;5;196m", "\x1b[K", "\x1b]8;;https://example.com\a", "\x1b]0;title\x1b\\", "\x1b(B", "\x1b"}
}

// A secret is found whatever a terminal would not show within it, and nothing but the secret is replaced.
func TestNormalize(t *testing.T) {
	s := newScrubber(t)
	rapid.Check(t, func(rt *rapid.T) {
		disguise := func(text string) string {
			var b strings.Builder
			for i, c := range text {
				if i > 0 && rapid.IntRange(0, 9).Draw(rt, "hide") == 0 {
					b.WriteString(rapid.SampledFrom(hiddenTexts()[:8]).Draw(rt, "hidden"))
				}
				b.WriteRune(c)
			}
			return b.String()
		}
		left := disguise("the tökén is ") + rapid.SampledFrom(hiddenTexts()[:8]).Draw(rt, "before")
		right := rapid.SampledFrom(hiddenTexts()[:8]).Draw(rt, "behind") + disguise(" for now")
		got, found := s.Text(left + disguise(token) + right)
		if want := left + "[secret: github-pat]" + right; got != want {
			rt.Errorf("%q, want %q, %v", got, want, found)
		}
	})
}

// Each character of the normal text stands in the original one where it is said to stand.
func FuzzNormalize(f *testing.F) {
	for _, text := range hiddenTexts() {
		f.Add("a" + text + "b" + text + text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := normalize(text)
		last := 0
		for i := range len(n.text) {
			start, end := n.original(i, i+1)
			if start < last || end != start+1 || end > len(text) || text[start] != n.text[i] {
				t.Fatalf("%q: byte %d of %q stands at %d to %d", text, i, n.text, start, end)
			}
			last = end
		}
		if strings.ContainsAny(n.text, "\r\x1b") {
			t.Errorf("%q: %q", text, n.text)
		}
		if whole, end := n.original(0, len(n.text)); len(n.text) > 0 && (whole < 0 || end > len(text)) {
			t.Errorf("%q: %d to %d", text, whole, end)
		}
	})
}
