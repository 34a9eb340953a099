package scrub

import (
	"strconv"
	"testing"

	"tidepool/internal/fingerprint"
)

// A number stands for one value within a session; the sessions of a project share what they know.
func TestSessions(t *testing.T) {
	s := newScrubber(t).Sessions(testKey())
	s.Of("a").Learn(fingerprint.Of(testKey(), "A", "first-value-1")...)
	s.Of("b").Learn(fingerprint.Of(testKey(), "B", "second-value-2")...)
	const text = "first-value-1 second-value-2"
	for _, test := range []struct{ session, text, want string }{
		{"a", text, "[SECRET_1] [SECRET_2]"},
		{"b", "second-value-2", "[SECRET_1]"},
		{"b", text, "[SECRET_2] [SECRET_1]"},
		{"", text, "[SECRET_1] [SECRET_2]"},
		{"a", "second-value-2", "[SECRET_2]"},
	} {
		if got, found := s.Of(test.session).Known(test.text); got != test.want {
			t.Errorf("%s: %q, %v, want %q", test.session, got, found, test.want)
		}
	}
	s.End("b")
	s.End("unknown")
	if got, _ := s.Of("b").Known(text); got != "[SECRET_1] [SECRET_2]" {
		t.Errorf("a new session: %q", got)
	}
}

func TestSessionsBound(t *testing.T) {
	s := newScrubber(t).Sessions(testKey())
	kept := s.Of("kept")
	for i := range 2 * maxSessions {
		s.Of(strconv.Itoa(i))
		if s.Of("kept") != kept {
			t.Fatalf("forgotten after %d others", i)
		}
	}
	if len(s.registries) != maxSessions {
		t.Errorf("%d registries", len(s.registries))
	}
}

func TestTokensBound(t *testing.T) {
	r := newRegistry(t, "the-known-one")
	for i := range maxTokens + 10 {
		number := r.number(fingerprint.MAC{byte(i), byte(i >> 8), 1})
		if want := i + 1; number != want && (i < maxTokens || number != 0) {
			t.Fatalf("value %d has number %d", i, number)
		}
	}
	if got, _ := r.Known("the-known-one"); got != "[SECRET_0]" || !HasToken(got) {
		t.Errorf("%q", got)
	}
}

func TestHasToken(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "[SECRET_1]": true, "echo [SECRET_12] x": true, "[SECRET_": false, "[SECRET_]": false, "[SECRET_x]": false, "[SECRET_1": false,
		"[SECRET_[SECRET_7]": true, "$SECRET_1": false, "[SECRET_1 ]": false, "[secret: x]": false, "[SECRET_x] [SECRET_0]": true,
	} {
		if got := HasToken(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// What may be the beginning of a secret goes from the end of a text that is cut.
func TestBeginning(t *testing.T) {
	const phrase = "correct horse battery staple"
	r := newRegistry(t, phrase, "Zq7-plover")
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"a short", "a short"},
		{"it ends\n", "it ends\n"},
		{"it is " + token[:20], "it is [SECRET_1]"},
		{"it is " + phrase[:15], "it is [SECRET_2]"},
		{"it is " + phrase[:21], "it is [SECRET_3]"},
		{"it is " + phrase, "it is [SECRET_4]"},
		{"Zq7-plover is " + token, "[SECRET_5] is [SECRET_6]"},
	} {
		if got, found := r.Beginning(test.text); got != test.want {
			t.Errorf("%q: %q, %v", test.text, got, found)
		}
	}
	for end := range len(phrase) + 1 {
		got, _ := r.Beginning("so: " + phrase[:end])
		if end >= fingerprint.MinLength && len(got) > len("so: [SECRET_99]") {
			t.Errorf("%q", got)
		}
	}
}
