package transcripttest

import (
	"fmt"
	"reflect"

	"tidepool/internal/transcript"
)

// Diff says how turns differ from those that are wanted; "": they do not.
func Diff(got, want []transcript.Turn) string {
	for i := range min(len(got), len(want)) {
		if !reflect.DeepEqual(got[i], want[i]) {
			return fmt.Sprintf("turn %d is\n%+v\nwant\n%+v", i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		return fmt.Sprintf("%d turns, want %d", len(got), len(want))
	}
	return ""
}
