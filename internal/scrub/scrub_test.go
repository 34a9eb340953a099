package scrub

import (
	"strings"
	"testing"
	"time"
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
	const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
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
	const text = "the token ghp_0123456789abcdefghijABCDEFGHIJ012345"
	slow, err := New(Options{Limit: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	broken := &Scrubber{limit: time.Minute, rules: func() (*ruleSet, error) {
		set, err := loadRules()
		set.hooks = nil // a hit finds no hook
		return set, err
	}}
	for name, s := range map[string]*Scrubber{"a slow search": slow, "a panic": broken} {
		got, found := s.Text(text)
		if strings.Contains(got, "ghp_") || !strings.Contains(got, "withheld") {
			t.Errorf("%s: %q", name, got)
		}
		if len(found) != 1 || found[0] != (Finding{Withheld, 0, len(text)}) {
			t.Errorf("%s: %v", name, found)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	if _, err := New(Options{Limit: -1}); err == nil {
		t.Error("a negative limit is no error")
	}
}
