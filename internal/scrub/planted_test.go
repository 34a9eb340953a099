package scrub

import (
	"strings"
	"testing"

	"tidepool/internal/fingerprint"
	"tidepool/internal/scrub/planted"
)

// eachKind is how many cases of each kind are drawn.
const eachKind = 5

// shown returns a text without its secrets; it must not be withheld.
func shown(t testing.TB, s *Scrubber) func(text string) string {
	return func(text string) string {
		clean, found := s.Text(text)
		if len(found) == 1 && found[0].Rule == Withheld {
			t.Fatalf("%q: %s", text, clean)
		}
		return clean
	}
}

// At least 95 % of all secrets are found, and hardly less of the kinds that no rule was made by. What is not found of these is not told, so
// that nobody makes a rule by it.
func TestPlantedSecretsAreFound(t *testing.T) {
	s := newScrubber(t)
	tuning, apart := planted.Cases(planted.Tuning(), eachKind), planted.Cases(planted.Apart(), eachKind)
	known, missed := planted.Recall(tuning, shown(t, s))
	unknown, _ := planted.Recall(apart, shown(t, s))
	t.Logf("%d of %d, and %d of %d apart", known, len(tuning), unknown, len(apart))
	if found, all := known+unknown, len(tuning)+len(apart); found*100 < all*95 {
		t.Errorf("%d of %d; missed of those that rules are made by: %q", found, all, missed)
	}
	if unknown*100 < len(apart)*94 {
		t.Errorf("%d of %d kept apart", unknown, len(apart))
	}
}

// What is found in a short text is found at each edge of a part, too, and as a text begins and ends.
func TestPlantedSecretsAtEdges(t *testing.T) {
	s := newScrubber(t)
	s.part = overlapLength + 4<<10
	filler := strings.Repeat("so it goes on and on\n", overlapLength/10)
	for _, c := range planted.Cases(planted.Tuning(), 1) {
		if c.Shows(shown(t, s)(c.Text)) {
			continue
		}
		for _, edge := range []int{s.part - overlapLength, s.part} {
			for _, at := range []int{edge - len(c.Text), edge - len(c.Text)/2, edge} {
				at = max(at, 1)
				rest := filler[:max(s.part+8<<10-at-len(c.Text), 0)] // three parts, of which the last begins behind the secret or within it
				if c.Shows(shown(t, s)(filler[:at-1] + "\n" + c.Text + "\n" + rest)) {
					t.Errorf("%s at %d: %q", c.Kind, at-edge, c.Text)
				}
			}
		}
	}
}

// A text that is cut anywhere in a secret shows no more than its first seven bytes behind a space.
func TestPlantedSecretsAreCut(t *testing.T) {
	s := newScrubber(t)
	for _, c := range planted.Cases(planted.Tuning(), 1) {
		if c.Shows(shown(t, s)(c.Text)) {
			continue
		}
		r := s.Registry(testKey())
		for _, secret := range c.Secrets {
			start := strings.Index(c.Text, secret)
			for end := start + fingerprint.MinLength; end <= start+len(secret); end += 3 {
				if got, _ := r.Beginning(c.Text[:end]); c.Shows(got) {
					t.Errorf("%s: %q shows %q", c.Kind, c.Text[:end], got)
					break
				}
			}
		}
	}
}

// No line without a secret is changed.
func TestPlantedHarmless(t *testing.T) {
	s := newScrubber(t)
	changed := 0
	for _, line := range planted.Harmless() {
		if s, _ := s.Text(line); s != line {
			changed++
		}
	}
	if changed > 0 {
		t.Errorf("%d of %d harmless lines are changed", changed, len(planted.Harmless()))
	}
}

// What was replaced once is not found again.
func TestPlantedSecretsAreReplacedOnce(t *testing.T) {
	s := newScrubber(t)
	r := s.Registry(testKey())
	for _, c := range planted.Cases(planted.Tuning(), eachKind) {
		for _, replace := range []func(string) (string, []Finding){s.Text, r.Text} {
			clean, _ := replace(c.Text)
			if again, found := replace(clean); again != clean {
				t.Errorf("%s: %q became %q, %v", c.Kind, clean, again, found)
			}
		}
	}
}
