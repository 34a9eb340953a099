package excerpt

import (
	"strings"
	"testing"
)

func TestLineIsClipped(t *testing.T) {
	if got := Line("\t" + strings.Repeat("ü", 1000)); len([]rune(got)) != maxLine+1 {
		t.Errorf("a long line has %d characters", len([]rune(got)))
	}
	if got := Line("\tshort "); got != "short" {
		t.Errorf("got %q", got)
	}
}
