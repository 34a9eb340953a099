package execution

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// bytesPerToken is how many bytes of a text a token has, about.
const bytesPerToken = 4

func tokensOf(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

// number writes 1471 as 1,471.
func number(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// count writes 1 line, 1,471 lines.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return number(n) + " " + noun + "s"
}

// size writes bytes as 812 bytes, 37 KB, 4.2 MB.
func size(n int) string {
	switch {
	case n < 1000:
		return count(n, "byte")
	case n < 1_000_000:
		return strconv.Itoa((n+500)/1000) + " KB"
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// seconds writes a duration as 2.1s, 0.03s.
func seconds(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.2fs", d.Seconds())
	}
	return fmt.Sprintf("%.1fs", d.Seconds())
}

// secretsText says which secrets a text had; "": none.
func secretsText(found map[string]int) string {
	n := 0
	for _, of := range found {
		n += of
	}
	if n == 0 {
		return ""
	}
	return count(n, "secret") + " replaced (" + strings.Join(slices.Sorted(maps.Keys(found)), ", ") + ")"
}
