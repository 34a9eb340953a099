package fingerprint

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// isIn reports whether one of the prints is found in a text, by trying each offset.
func isIn(text string, key Key, prints []Print) bool {
	authenticator, roller := key.Authenticator(), key.Roller()
	for _, p := range prints {
		for at := 0; at+p.Length <= len(text); at++ {
			if roller.Roll(text[at:]) == p.Roll && authenticator.Of(text[at:at+p.Length]) == p.MAC {
				return true
			}
		}
	}
	return false
}

// A value is found in whatever encoding of a text around it.
func TestOf(t *testing.T) {
	key := Key{1, 2, 3}
	rapid.Check(t, func(rt *rapid.T) {
		value := rapid.StringMatching(`[!-~][ -~é]{6,40}[!-~]`).Draw(rt, "value")
		before := rapid.StringMatching(`[ -~]{0,5}`).Draw(rt, "before")
		behind := rapid.StringMatching(`[ -~]{0,5}`).Draw(rt, "behind")
		prints := Of(key, "X", value)
		whole := before + value + behind
		plain, err := json.Marshal(map[string]string{"x": whole})
		if err != nil {
			rt.Fatal(err)
		}
		for name, text := range map[string]string{
			"plain": whole, "base64": base64.StdEncoding.EncodeToString([]byte(whole)), "URL base64": base64.RawURLEncoding.EncodeToString([]byte(whole)),
			"hex": hex.EncodeToString([]byte(whole)), "capital hex": strings.ToUpper(hex.EncodeToString([]byte(whole))), "JSON": string(plain),
			"a shell": "'" + strings.ReplaceAll(whole, "'", `'\''`) + "'",
		} {
			if !isIn(text, key, prints) {
				rt.Errorf("%s: %q is not found in %q", name, value, text)
			}
		}
		if other := "other" + whole[:len(before)+len(value)-1] + "\x00"; isIn(other, key, prints[:1]) {
			rt.Errorf("%q is found in %q", value, other)
		}
		if isIn(whole, Key{4}, prints) {
			rt.Errorf("%q is found under another key", value)
		}
	})
}

func TestOfBounds(t *testing.T) {
	key := Key{7}
	for _, short := range []string{"", "1234567", "  1234567\r\n ", "\r1\r2\r3\r4567"} {
		if prints := Of(key, "X", short); prints != nil {
			t.Errorf("%q: %v", short, prints)
		}
	}
	if a, b := Of(key, "X", " hunter-2\r\n"), Of(key, "X", "hunter-2"); !slices.Equal(a, b) {
		t.Errorf("%v, %v", a, b)
	}
	long := strings.Repeat("0123456789abcdef", 8<<10)
	prints := Of(key, strings.Repeat("é", MaxName), long)
	if len(prints) == 0 || len(prints) > 16*10 {
		t.Fatalf("%d prints", len(prints))
	}
	for _, p := range prints {
		if p.Length < MinLength || p.Length > MaxLength || p.Value != prints[0].Value || len(p.Name) > MaxName || p.Roll >= 1<<RollBits {
			t.Errorf("%+v", p)
		}
	}
	for at := 0; at+piece <= maxValue-piece; at += piece {
		if !isIn(long[at:at+piece], key, prints) {
			t.Errorf("the piece at %d is not found", at)
		}
	}
}

// A Print as it is sent has nothing of the value, and comes back the same.
func TestPrintAsJSON(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		value := rapid.StringMatching(`[a-zA-Z0-9]{8,40}`).Draw(rt, "value")
		prints := Of(Key{9}, "NAME", value)
		sent, err := json.Marshal(prints)
		if err != nil {
			rt.Fatal(err)
		}
		if strings.Contains(string(sent), value) {
			rt.Errorf("%s has %s", sent, value)
		}
		var received []Print
		if err := json.Unmarshal(sent, &received); err != nil || !slices.Equal(prints, received) {
			rt.Errorf("%v, %v, %v", received, prints, err)
		}
	})
	for _, broken := range []string{`{"mac":"AAAA"}`, `{"mac":"!"}`, `{"mac":1}`} {
		var p Print
		if err := json.Unmarshal([]byte(broken), &p); err == nil {
			t.Errorf("%s is %+v", broken, p)
		}
	}
}
