package scrub

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// Bounds of what is decoded, in bytes.
const (
	minEncoded  = 20 // shorter runs of base64 and hex are not decoded; known values have prints of these
	minPercent  = 8  // shorter percent-encoded runs are not decoded
	minReadable = 16 // printable characters in a row that a decoded text must have
	wrapped     = 60 // a line of base64 or hex that is at least so long goes on in the next one
)

// A decoding is what a run of characters may stand for.
type decoding struct {
	text     string
	original func(start, end int) (int, int) // where a part of it stands in the encoded text
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
		for at := 0; ; {
			run, found := percentRun(text, at)
			if !found {
				return
			}
			if d, ok := fromPercent(text, run); ok && !yield(d) {
				return
			}
			at = run.end
		}
	}
}

// percentRun returns the first run from an offset on that has a % and is long enough.
func percentRun(text string, at int) (extent, bool) {
	for {
		next := strings.IndexByte(text[at:], '%')
		if next < 0 {
			return extent{}, false
		}
		start, end := at+next, at+next
		for start > at && isURL(text[start-1]) {
			start--
		}
		for end < len(text) && isURL(text[end]) {
			end++
		}
		if end-start >= minPercent {
			return extent{start, end}, true
		}
		at = end
	}
}

func isBase64(c byte) bool { return c < utf8.RuneSelf && base64Value(c) >= 0 }

// base64Value returns what a character of either alphabet of base64 (RFC 4648) stands for, -1 for others.
func base64Value(c byte) int {
	switch {
	case 'a' <= c && c <= 'z':
		return int(c-'a') + 26
	case 'A' <= c && c <= 'Z':
		return int(c - 'A')
	case '0' <= c && c <= '9':
		return int(c-'0') + 52
	case c == '+' || c == '-':
		return 62
	case c == '/' || c == '_':
		return 63
	}
	return -1
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
	if len(text)%2 != 0 || strings.Trim(text, "0123456789abcdefABCDEF") != "" {
		return "", false
	}
	decoded, err := hex.DecodeString(text)
	return string(decoded), err == nil && isReadable(decoded)
}

// fromBase64 decodes a run of either alphabet, or of both: an encoded text may stand within a path.
func fromBase64(text string) (string, bool) {
	if !mayBeReadable(text) {
		return "", false
	}
	decoded := make([]byte, 0, len(text)/4*3+2)
	bits, held := 0, 0
	for i := range len(text) {
		bits, held = bits<<6|base64Value(text[i]), held+6
		if held >= 8 {
			held -= 8
			decoded = append(decoded, byte(bits>>held))
			bits &= 1<<held - 1
		}
	}
	return string(decoded), isReadable(decoded)
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

// mayBeReadable reports whether base64 could stand for minReadable printable characters in a row, by each fourth character: the
// upper bits of a byte.
func mayBeReadable(text string) bool {
	row := 0
	for i := 0; i < len(text); i += 4 {
		if row++; !isReadableLead(text[i]) {
			row = 0
		}
		if row == (minReadable-2)/3 {
			return true
		}
	}
	return false
}

// isReadableLead reports whether a first character of four stands for the upper six bits of a printable one.
func isReadableLead(c byte) bool {
	return 'I' <= c && c <= 'Z' || 'a' <= c && c <= 'f' || c == 'C' || c == 'D' // \t and \n, \r
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
