package scrub

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"time"
)

// Bounds of what is decoded, in bytes.
const (
	minEncoded  = 20 // shorter runs are not decoded
	minReadable = 12 // printable characters in a row that a decoded text must have
	wrapped     = 60 // a line of base64 or hex that is at least so long goes on in the next one
)

// A decoding is what a run of characters may stand for.
type decoding struct {
	text     string
	original func(start, end int) (int, int) // where a part of it stands in the encoded text
}

// findEncoded returns the secrets of known forms in what is encoded in a text, as places of the text.
func (set *ruleSet) findEncoded(text string, deadline time.Time) ([]Finding, error) {
	var found []Finding
	for d := range decodings(text) {
		if time.Now().After(deadline) {
			return nil, errSlow
		}
		in, err := set.search(d.text, false, false, true, deadline)
		if err != nil {
			return nil, err
		}
		for _, f := range in {
			start, end := d.original(f.Start, f.End)
			found = append(found, Finding{f.Rule, start, end})
		}
	}
	return found, nil
}

// decodings yields what the base64, hex and percent-encoded runs of a text stand for, if that is readable.
func decodings(text string) func(func(decoding) bool) {
	return func(yield func(decoding) bool) {
		for run := range runs(text, isBase64, wrapped) {
			joined := unwrap(text[run.start:run.end])
			if decoded, ok := fromHex(joined.text); ok && !yield(decoding{decoded, from(run, joined, 0, 2, 1)}) {
				return
			}
			for skipped := range 4 { // the run may begin with something else, such as a path
				decoded, ok := fromBase64(joined.text[skipped:])
				if ok && !yield(decoding{decoded, from(run, joined, skipped, 4, 3)}) {
					return
				}
			}
		}
		if strings.IndexByte(text, '%') < 0 {
			return
		}
		for run := range runs(text, isURL, len(text)) {
			if d, ok := fromPercent(text, run); ok && !yield(d) {
				return
			}
		}
	}
}

func isBase64(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}

func isURL(c byte) bool {
	return '!' <= c && c <= '~' && c != '"' && c != '\'' && c != '<' && c != '>' && c != '`'
}

// runs yields the runs of at least minEncoded characters of an alphabet. A line end does not end a run if the line has at least
// wrapped characters.
func runs(text string, in func(byte) bool, wrapped int) func(func(extent) bool) {
	return func(yield func(extent) bool) {
		for from := 0; from+minEncoded <= len(text); {
			start := from + minEncoded // seen from the end of the shortest run, most of a text is skipped
			for start > from && in(text[start-1]) {
				start--
			}
			if start > from {
				from = start
				continue
			}
			end, line := from+minEncoded, from
			for end < len(text) && (in(text[end]) || text[end] == '\n' && end-line >= wrapped) {
				if text[end] == '\n' {
					line = end + 1
				}
				end++
			}
			if !yield(extent{from, end}) {
				return
			}
			from = end
		}
	}
}

// unwrap returns a text without line ends.
func unwrap(text string) normalText {
	if strings.IndexByte(text, '\n') < 0 {
		return normalText{text: text}
	}
	var n normalText
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimSuffix(line, "\n"))
		n.gaps = append(n.gaps, gap{b.Len(), len(n.gaps) + 1})
	}
	n.text = b.String()
	return n
}

// from returns where a part of a decoded text stands in the text that has the run: some characters are skipped, then each few
// bytes were so many characters.
func from(run extent, joined normalText, skipped, characters, bytes int) func(start, end int) (int, int) {
	return func(start, end int) (int, int) {
		first := skipped + start*characters/bytes
		last := min(len(joined.text), skipped+(end*characters+bytes-1)/bytes)
		first, last = joined.original(first, last)
		return run.start + first, run.start + last
	}
}

// fromHex decodes a run that is hexadecimal.
func fromHex(text string) (string, bool) {
	if len(text)%2 != 0 {
		return "", false
	}
	decoded, err := hex.DecodeString(text)
	return string(decoded), err == nil && isReadable(decoded)
}

// fromBase64 decodes a run of either alphabet.
func fromBase64(text string) (string, bool) {
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(text, "-_") {
		encoding = base64.RawURLEncoding
	}
	if len(text)%4 == 1 {
		text = text[:len(text)-1]
	}
	decoded, err := encoding.DecodeString(text)
	return string(decoded), err == nil && isReadable(decoded)
}

// fromPercent decodes a run that has %XX.
func fromPercent(text string, run extent) (decoding, bool) {
	var b strings.Builder
	var starts []int // by byte of the decoded text: where it stands in text
	some := false
	for i := run.start; i < run.end; i++ {
		starts = append(starts, i)
		if text[i] == '%' && i+2 < run.end {
			if c, err := hex.DecodeString(text[i+1 : i+3]); err == nil {
				b.WriteByte(c[0])
				i += 2
				some = true
				continue
			}
		}
		b.WriteByte(text[i])
	}
	starts = append(starts, run.end)
	return decoding{b.String(), func(start, end int) (int, int) { return starts[start], starts[end] }}, some
}

// isReadable reports whether a text has minReadable printable ASCII characters in a row.
func isReadable(text []byte) bool {
	row := 0
	for _, c := range text {
		if row++; c < ' ' && c != '\n' && c != '\t' && c != '\r' || c > '~' {
			row = 0
		}
		if row == minReadable {
			return true
		}
	}
	return false
}
