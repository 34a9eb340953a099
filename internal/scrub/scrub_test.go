package scrub

import (
	"errors"
	"strings"
	"testing"
	"time"

	"tidepool/internal/fingerprint"
)

func newScrubber(t testing.TB) *Scrubber {
	t.Helper()
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestText(t *testing.T) {
	s := newScrubber(t)
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"nothing here\r\n\x1b[1mat all\x1b[0m", "nothing here\r\n\x1b[1mat all\x1b[0m"},
		{"use " + token + " now", "use [secret: github-pat] now"},
		{token + token, "[secret: github-pat][secret: github-pat]"},
		{"a line with " + token + " # gitleaks:allow", "a line with [secret: github-pat] # gitleaks:allow"},
		{"the token \x1b[31m" + token[:10] + "\x1b[0m" + token[10:], "the token \x1b[31m[secret: github-pat]"},
	} {
		got, found := s.Text(test.text)
		if got != test.want {
			t.Errorf("%q: %q, %v", test.text, got, found)
		}
		if again, found := s.Text(got); again != got || len(found) > 0 {
			t.Errorf("searched twice, %q is %q, %v", test.text, again, found)
		}
	}
}

func TestTextWithheld(t *testing.T) {
	const text = "the token " + token
	slow, err := New(Options{Limit: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	broken := &Scrubber{limit: time.Minute, part: partLength, rules: func() (*ruleSet, error) {
		set, err := loadRules()
		set.hooks = nil // a hit finds no hook
		return set, err
	}}
	noRules := &Scrubber{limit: time.Minute, part: partLength, rules: func() (*ruleSet, error) { return nil, errors.New("a bad file") }}
	badRule := &Scrubber{limit: time.Minute, part: partLength, rules: func() (*ruleSet, error) {
		set := &ruleSet{rules: []*rule{{id: "bad", source: "ghp_", keywords: []string{"ghp_"}}}}
		err := set.index()
		set.rules[0].source = "gh(p_" // it is compiled when a text has a candidate
		return set, err
	}}
	for name, s := range map[string]*Scrubber{"a slow search": slow, "a panic": broken, "no rules": noRules, "a bad rule": badRule} {
		got, found := s.Text(text)
		if strings.Contains(got, "ghp_") || !strings.Contains(got, "withheld") {
			t.Errorf("%s: %q", name, got)
		}
		if len(found) != 1 || found[0] != (Finding{Withheld, 0, len(text)}) {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// Texts that were made to cost much are withheld, as their work goes beyond the limit; others that look alike are searched. The limit is a
// tenth where it is reached, since the race detector takes ten times as long for the same work; for the same reason it watches an eighth of
// each text, with an eighth of the limit.
func TestHostileTexts(t *testing.T) {
	share := 1
	if raceDetector {
		share = 8
	}
	limited := func(limit time.Duration) *Scrubber {
		s, err := New(Options{Limit: limit / time.Duration(share)})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	whole, tenth := limited(defaultLimit), limited(defaultLimit/10)
	for piece, withheld := range map[string]bool{
		"curl ": true, "ZXlK": true, "api_key=abcdef1234567890 ": true, "key=": false, "data:\n secret": false, "-----BEGIN PRIVATE KEY-----": false,
	} {
		s := whole
		if withheld {
			s = tenth
		}
		got, _ := s.Text(strings.Repeat(piece, partLength/share/len(piece)))
		if is := strings.Contains(got, "withheld"); is != withheld {
			t.Errorf("%q: %.100q", piece, got)
		}
	}
}

// What a person has called harmless stays, whatever its form; other secrets do not, nor longer ones that contain it.
func TestAllow(t *testing.T) {
	s, err := New(Options{Allow: []string{token, "Zq7-plover"}})
	if err != nil {
		t.Fatal(err)
	}
	r := s.Registry(testKey())
	r.Learn(fingerprint.Of(testKey(), "A", "Zq7-plover")...)
	r.Learn(fingerprint.Of(testKey(), "B", "Zq7-plover-2")...)
	const other = "ghp_abcdefghij0123456789ABCDEFGHIJ012345"
	for _, test := range []struct{ text, want string }{
		{"use " + token, "use " + token}, {"use \x1b[1mghp_\x1b[0m" + token[4:], "use \x1b[1mghp_\x1b[0m" + token[4:]}, {"use " + other, "use [SECRET_1]"},
		{"password=Zq7-plover", "password=Zq7-plover"}, {"it is Zq7-plover-2", "it is [SECRET_2]"}, {"WnE3LXBsb3Zlcg==", "WnE3LXBsb3Zlcg=="},
	} {
		if got, found := r.Text(test.text); got != test.want {
			t.Errorf("%q: %q, %v", test.text, got, found)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	if _, err := New(Options{Limit: -1}); err == nil {
		t.Error("a negative limit is no error")
	}
}

// A secret is found wherever it stands around the edges of a part: at every offset of short parts, and at each edge of those that a
// Scrubber has, of which one costs as much as forty short ones.
func TestTextInParts(t *testing.T) {
	filler := strings.Repeat("so it goes. ", 2*partLength/12+1)
	short := newScrubber(t)
	short.part = overlapLength + 4<<10
	for _, test := range []struct {
		s    *Scrubber
		step int
	}{{short, 1}, {newScrubber(t), len(token)/2 + 2}} {
		part := test.s.part
		for _, edge := range []int{part - overlapLength, part, 2*part - 2*overlapLength} {
			for at := edge - len(token) - 2; at <= edge+2; at += test.step {
				text := filler[:at] + " " + token + " " + filler[:max(part/2, overlapLength)]
				got, found := test.s.Text(text)
				if len(found) != 1 || found[0] != (Finding{"github-pat", at + 1, at + 1 + len(token)}) || strings.Contains(got, token) {
					t.Fatalf("at %d of parts of %d: %v", at, part, found)
				}
			}
		}
	}
}

// A key that is as long as the overlap is replaced as a whole.
func TestTextLongKey(t *testing.T) {
	s := newScrubber(t)
	key := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat(strings.Repeat("Aq3/", 16)+"\n", 250) + "-----END PRIVATE KEY-----"
	if len(key) > overlapLength {
		t.Fatalf("a key of %d bytes", len(key))
	}
	filler := strings.Repeat("so it goes. ", partLength/12+1)
	for _, at := range []int{0, partLength - overlapLength - 5, partLength - len(key), partLength - 100, partLength} {
		got, found := s.Text(filler[:at] + key + " and so on")
		if want := filler[:at] + "[secret: private-key] and so on"; got != want {
			t.Errorf("at %d: %v", at, found)
		}
	}
}

// Findings are in order, apart and within the text, and a text that was searched has nothing more to find.
func FuzzText(f *testing.F) {
	for _, text := range []string{"the key " + token, "\x1b[31mpassword=\x1b[0mTr0ub4dor&3\r\n", "aHR0cHM6Ly9tZTpzM2NyM3Q=", "%67hp_0123", "curl -u a:b12 x"} {
		f.Add(text)
	}
	s := newScrubber(f)
	f.Fuzz(func(t *testing.T, text string) {
		got, found := s.Text(text)
		last := 0
		for _, one := range found {
			if one.Start < last || one.End <= one.Start || one.End > len(text) {
				t.Fatalf("%q: %v", text, found)
			}
			last = one.End
		}
		if len(found) == 0 && got != text {
			t.Errorf("%q became %q", text, got)
		}
		if again, found := s.Text(got); again != got {
			t.Errorf("%q became %q, then %q, %v", text, got, again, found)
		}
	})
}
