package scrub

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidepool/internal/fingerprint"
)

func testKey() fingerprint.Key { return fingerprint.Key{1, 2, 3} }

// newRegistry returns a registry that knows some values, each under the name of its place: A, B and so on.
func newRegistry(t testing.TB, values ...string) *Registry {
	t.Helper()
	r := newScrubber(t).Registry(testKey())
	for i, value := range values {
		r.Learn(fingerprint.Of(testKey(), string(rune('A'+i)), value)...)
	}
	return r
}

func TestRegistry(t *testing.T) {
	const plain, phrase = "Zq7-plover", `four "words" & a <key>`
	r := newRegistry(t, plain, phrase)
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"nothing", "nothing"},
		{"it is " + plain + ".", "it is [SECRET_1]."},
		{plain + plain, "[SECRET_1]"}, // as pieces of one value are,
		{"x" + plain + "x", "x[SECRET_1]x"},
		{phrase + "!", "[SECRET_2]!"},
		{token, "[SECRET_3]"},
		{"token=" + plain, "token=[SECRET_1]"},
		{"use " + token + " or " + plain, "use [SECRET_3] or [SECRET_1]"},
		{"\x1b[1mZq7\x1b[31m-plo\x1b[0mver now", "\x1b[1m[SECRET_1] now"},
		{"Zq7-\r\x1b[Kplover", "[SECRET_1]"},
		{"https://me:" + plain + "@example.com/", "https://me:[SECRET_1]@example.com/"},
		{"\x1b[1mghp_\x1b[31m" + token[4:], "\x1b[1m[SECRET_3]"},
	} {
		got, found := r.Text(test.text)
		if got != test.want {
			t.Errorf("%q: %q, %v, want %q", test.text, got, found, test.want)
		}
		if again, found := r.Text(got); again != got || len(found) > 0 {
			t.Errorf("searched twice, %q is %q, %v", got, again, found)
		}
	}
	if _, found := r.Text("it is " + plain); len(found) != 1 || found[0] != (Finding{"value of A", 6, 6 + len(plain)}) {
		t.Errorf("%v", found)
	}
	if got, found := r.Known(token + " " + plain); got != token+" [SECRET_1]" || len(found) != 1 {
		t.Errorf("%q, %v", got, found)
	}
}

// A known value is replaced in every form, wherever it stands, and nothing of it is left; what is around stays. All forms have one
// number.
func TestKnownForms(t *testing.T) {
	s := newScrubber(t)
	rapid.Check(t, func(rt *rapid.T) {
		value := rapid.StringMatching(`[a-zA-Z0-9+/_.-][!-~]{6,30}[a-zA-Z0-9+/_.-]`).Draw(rt, "value")
		around := rapid.StringMatching(`[ a-z]{0,12}`)
		inner := around.Draw(rt, "before") + value + around.Draw(rt, "behind")
		quoted, err := json.Marshal(inner)
		if err != nil {
			rt.Fatal(err)
		}
		text := rapid.SampledFrom([]string{
			inner, base64.StdEncoding.EncodeToString([]byte(inner)), base64.URLEncoding.EncodeToString([]byte(inner)),
			wrap(base64.StdEncoding.EncodeToString([]byte(strings.Repeat("so it goes ", 9)+inner)), 76),
			hex.EncodeToString([]byte(inner)), percent(inner), strings.ToLower(percent(value)), url.QueryEscape(inner), url.PathEscape(inner), string(quoted),
		}).Draw(rt, "text")
		left := rapid.SampledFrom([]string{"", "see: ", "é\n", "\x1b[1m"}).Draw(rt, "left")
		right := rapid.SampledFrom([]string{"", "\n", " it", "\x1b[0m"}).Draw(rt, "right")
		r := s.Registry(testKey())
		r.Learn(fingerprint.Of(testKey(), "A", value)...)
		got, found := r.Known(left + text + right)
		if strings.Count(got, "[SECRET_1]") != len(found) || len(found) == 0 || found[0].Rule != "value of A" {
			rt.Fatalf("%q: %q, %v", left+text+right, got, found)
		}
		if !strings.HasPrefix(got, left) || !strings.HasSuffix(got, right) || strings.Contains(got, value) {
			rt.Errorf("%q: %q", left+text+right, got)
		}
		if again, found := r.Known(got); again != got || len(found) > 0 {
			rt.Errorf("searched twice, %q is %q, %v", got, again, found)
		}
	})
}

// Without known values, and with those of others, a text stays as it is.
func TestKnownNothing(t *testing.T) {
	s := newScrubber(t)
	r := newRegistry(t, "not-in-here-1", "nor-this-one-2")
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String().Draw(rt, "text")
		for _, registry := range []*Registry{r, s.Registry(testKey())} {
			if got, found := registry.Known(text); got != text || found != nil {
				rt.Errorf("%q: %q, %v", text, got, found)
			}
		}
	})
}

// A known value is found at each offset around the edges of a part, in each form.
func TestKnownInParts(t *testing.T) {
	const value = "Zq7-plover-and-more"
	s := newScrubber(t)
	s.part = overlapLength + 4<<10
	r := s.Registry(testKey())
	r.Learn(fingerprint.Of(testKey(), "A", value)...)
	filler := strings.Repeat("so it goes. ", overlapLength/6)
	for _, form := range []string{value, base64.StdEncoding.EncodeToString([]byte("x " + value)), "Zq7-\x1b[31mplover-and-more", percent(value)} {
		for _, edge := range []int{s.part - overlapLength, s.part} {
			for at := edge - len(form) - 2; at <= edge+2; at++ {
				got, found := r.Known(filler[:at] + " " + form + " " + filler)
				if len(found) != 1 || !strings.Contains(got[at:], "[SECRET_1]") || found[0].Start < at || found[0].End > at+1+len(form) {
					t.Fatalf("%q at %d: %v", form, at, found)
				}
			}
		}
	}
}

// A value that is longer than a print may be is replaced as a whole, by one token.
func TestKnownLongValue(t *testing.T) {
	var b strings.Builder
	for b.Len() < 20<<10 {
		b.WriteString(noise(100 + b.Len()%7))
	}
	value := strings.TrimSpace(b.String())
	r := newRegistry(t, value)
	for _, test := range []struct{ text, want string }{
		{"it is " + value + "!", "it is [SECRET_1]!"},
		{strings.Repeat("x", partLength-9<<10) + value + "!", strings.Repeat("x", partLength-9<<10) + "[SECRET_1]!"},
	} {
		if got, found := r.Known(test.text); got != test.want {
			t.Errorf("%d bytes instead of %d, %v", len(got), len(test.want), found)
		}
	}
	got, _ := r.Known(base64.StdEncoding.EncodeToString([]byte(value)))
	if left := strings.ReplaceAll(got, "[SECRET_1]", ""); len(left) > 8 {
		t.Errorf("%d characters of base64 are left", len(left))
	}
}

// Known values are searched for within the limit, and without the rules.
func TestKnownWithheld(t *testing.T) {
	slow, err := New(Options{Limit: time.Microsecond})
	if err != nil {
		t.Fatal(err)
	}
	broken := newScrubber(t)
	broken.rules = func() (*ruleSet, error) { panic("no rules") }
	const value = "Zq7-plover"
	for name, s := range map[string]*Scrubber{"slow": slow, "broken": broken} {
		r := s.Registry(testKey())
		r.Learn(fingerprint.Of(testKey(), "A", value)...)
		got, found := r.Text(strings.Repeat(value, 10))
		if strings.Contains(got, "plover") || len(found) != 1 || found[0].Rule != Withheld {
			t.Errorf("%s: %q, %v", name, got, found)
		}
	}
	r := broken.Registry(testKey())
	r.Learn(fingerprint.Of(testKey(), "A", value)...)
	if got, _ := r.Known("it is " + value); got != "it is [SECRET_1]" {
		t.Errorf("%q", got)
	}
}

func TestLearnBounds(t *testing.T) {
	r := newRegistry(t)
	first, last := fingerprint.Of(testKey(), "A", "the-first-value"), fingerprint.Of(testKey(), "B", "the-last-value")
	r.Learn(first...)
	r.Learn(fingerprint.Print{Length: 1}, fingerprint.Print{Length: -1}, fingerprint.Print{Length: 1 << 30}, fingerprint.Print{Length: 9, Roll: 1 << 31})
	if got, found := r.Known("a the-first-value of four"); got != "a [SECRET_1] of four" {
		t.Errorf("%q, %v", got, found)
	}
	many := make([]fingerprint.Print, maxPrints)
	for i := range many {
		many[i] = fingerprint.Print{Length: 9, Roll: uint32(i), MAC: fingerprint.MAC{byte(i), byte(i >> 8), 1}}
	}
	r.Learn(many...)
	r.Learn(last...)
	if got, _ := r.Known("the-first-value, the-last-value"); got != "the-first-value, [SECRET_2]" {
		t.Errorf("%q", got)
	}
	if n := len(r.known.now.Load().prints); n != maxPrints {
		t.Errorf("%d prints", n)
	}
	r.Learn(first...)
	r.Learn(last...)
	if got, _ := r.Known("the-first-value, the-last-value"); got != "[SECRET_1], [SECRET_2]" {
		t.Errorf("%q", got)
	}
}

// Hooks and tools use a registry at once, while others learn.
func TestRegistryConcurrently(t *testing.T) {
	s := newScrubber(t).Sessions(testKey())
	var all sync.WaitGroup
	for i := range 8 {
		session, value := string(rune('a'+i%4)), "value-number-"+string(rune('a'+i))
		all.Go(func() {
			s.Of(session).Learn(fingerprint.Of(testKey(), "X", value)...)
			for range 20 {
				got, found := s.Of(session).Text(value + " and " + token)
				if strings.Contains(got, value) || strings.Contains(got, token) || len(found) != 2 {
					t.Errorf("%q, %v", got, found)
				}
			}
		})
	}
	all.Wait()
}

// FuzzRegistry: findings are in order and within the text; what is found once is not found again; nothing else changes.
func FuzzRegistry(f *testing.F) {
	for _, text := range []string{"it is Zq7-plover", "Zq7%2Dplover", "WnE3LXBsb3Zlcg", "\x1b[31mZq7\r-plover", "password=\"[SECRET_1]\"", token, "https://a:Zq7-plover@b"} {
		f.Add(text)
	}
	r := newRegistry(f, "Zq7-plover", `a "quoted" one`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, replace := range []func(string) (string, []Finding){r.Known, r.Text, r.Beginning} {
			got, found := replace(text)
			var left strings.Builder
			last := 0
			for _, one := range found {
				if one.Start < last || one.End <= one.Start || one.End > len(text) {
					t.Fatalf("%q: %v", text, found)
				}
				left.WriteString(text[last:one.Start])
				last = one.End
			}
			left.WriteString(text[last:])
			if len(found) == 0 && got != text || !sameBut(got, left.String(), len(found)) {
				t.Errorf("%q became %q, %v", text, got, found)
			}
		}
		got, _ := r.Text(text)
		if again, found := r.Text(got); again != got {
			t.Errorf("%q became %q, then %q, %v", text, got, again, found)
		}
		if got, _ := r.Known(text); strings.Contains(got, "Zq7-plover") {
			t.Errorf("%q became %q", text, got)
		}
	})
}

// sameBut reports whether a text is another one with so many tokens more.
func sameBut(text, other string, tokens int) bool {
	least := tokens * len(tokenOf(1))
	return len(text) >= len(other)+least && len(text) <= len(other)+least+3*tokens
}
