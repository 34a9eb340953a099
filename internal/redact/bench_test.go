package redact

import (
	"encoding/json"
	"testing"

	"tidepool/internal/fingerprint"
	cases "tidepool/internal/scrub/planted"
)

// BenchmarkHook replaces 100 KB of mixed output after a tool.
func BenchmarkHook(b *testing.B) {
	for _, mode := range []Mode{Known, All} {
		c := withSessions(b, mode, fingerprint.Key{})
		c.learn("s", printsOf(b, fingerprint.Key{}, "correct-horse-battery"))
		text, err := json.Marshal(cases.Mixed(100<<10) + "correct-horse-battery")
		if err != nil {
			b.Fatal(err)
		}
		e := post(b, "Bash", `{"stdout":`+string(text)+`,"stderr":""}`)
		b.Run(mode.String(), func(b *testing.B) {
			for b.Loop() {
				if replaced(c.Hook(b.Context(), e)) == "" {
					b.Fatal("nothing was replaced")
				}
			}
		})
	}
}
