package scrub

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"

// percent encodes all of a text.
func percent(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// wrap puts a text on lines of some length.
func wrap(text string, length int) string {
	var b strings.Builder
	for len(text) > length {
		b.WriteString(text[:length] + "\n")
		text = text[length:]
	}
	return b.String() + text
}

// A secret that is encoded is found, and with it what stands for it is replaced; what is around stays.
func TestEncoded(t *testing.T) {
	s := newScrubber(t)
	rapid.Check(t, func(rt *rapid.T) {
		before := rapid.StringMatching(`[a-z .]{0,40}`).Draw(rt, "before")
		behind := rapid.StringMatching(`([ .][a-z .]{0,40})?`).Draw(rt, "behind")
		encoded := ""
		plain := before + " " + token + behind
		switch kind := rapid.SampledFrom([]string{"base64", "URL base64", "hex", "percent", "lines of base64", "lines of hex"}).Draw(rt, "kind"); kind {
		case "base64":
			encoded = base64.StdEncoding.EncodeToString([]byte(plain))
		case "URL base64":
			encoded = base64.URLEncoding.EncodeToString([]byte(plain))
		case "hex":
			encoded = hex.EncodeToString([]byte(plain))
		case "percent":
			encoded = percent(plain)
		case "lines of base64":
			encoded = wrap(base64.StdEncoding.EncodeToString([]byte(plain)), 76)
		case "lines of hex":
			encoded = wrap(hex.EncodeToString([]byte(plain)), 64)
		}
		left := rapid.SampledFrom([]string{"", "see ", "path/", "data:text/plain;base64,", "é\n", "\x1b[1m"}).Draw(rt, "left")
		if strings.Contains(encoded, "\n") || isHex(encoded) {
			left = strings.TrimSuffix(left, "path/")
		}
		right := rapid.SampledFrom([]string{"", " it", "\n", "\"", "\x1b[0m"}).Draw(rt, "right")
		got, found := s.Text(left + encoded + right)
		if len(found) != 1 || found[0].Rule != "github-pat" {
			rt.Fatalf("%q: %v", left+encoded+right, found)
		}
		if !strings.HasPrefix(got, left) || !strings.HasSuffix(got, right) {
			rt.Errorf("%q: %q", left+encoded+right, got)
		}
		if length := found[0].End - found[0].Start; length > 3*len(token)+4 {
			rt.Errorf("%d bytes replaced in %q", length, encoded)
		}
	})
}

func isHex(text string) bool { return strings.Trim(text, "0123456789abcdef") == "" }

func TestRuns(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringMatching(`([ab]{1,30}[ .]{0,2}){0,6}`).Draw(rt, "text")
		var want []extent
		for at := 0; at < len(text); {
			end := at
			for end < len(text) && isBase64(text[end]) {
				end++
			}
			if end-at >= minEncoded {
				want = append(want, extent{at, end})
			}
			at = end + 1
		}
		for run := range runs(text, isBase64, len(text)) {
			if len(want) == 0 || want[0] != run {
				rt.Fatalf("%v of %q, want %v", run, text, want)
			}
			want = want[1:]
		}
		if len(want) > 0 {
			rt.Errorf("not found in %q: %v", text, want)
		}
	})
}
