package scrub

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/scrub/planted"
)

// repository returns what this repository has of text in files with an extension, in the order of the paths. Tests are left out:
// they contain secrets on purpose.
func repository(t testing.TB, extension string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != extension || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") || strings.Contains(path, "planted") {
			return err
		}
		text, err := os.ReadFile(path)
		b.Write(text)
		return err
	})
	if err != nil || b.Len() == 0 {
		t.Fatalf("%d bytes of %s, %v", b.Len(), extension, err)
	}
	return b.String()
}

// BenchmarkText searches 100 KB: what this repository says about itself, and its source, where nothing is found, and what commands print.
func BenchmarkText(b *testing.B) {
	const size = 100 << 10
	source := repository(b, ".go")
	prose := repository(b, ".md")
	for name, text := range map[string]string{
		"prose":  strings.Repeat(prose, size/len(prose)+1)[:size],
		"source": source[:size],
		"random": noise(size),
		"mixed":  planted.Mixed(size),
	} {
		b.Run(name, func(b *testing.B) {
			s := newScrubber(b)
			s.Text(text)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s.Text(text)
			}
		})
	}
}

// noise returns hashes, UUIDs and base64 in lines, as logs have them.
func noise(size int) string {
	var b strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for b.Len() < size {
		bytes := make([]byte, 16+random.IntN(48))
		for i := range bytes {
			bytes[i] = byte(random.Uint32())
		}
		fmt.Fprintf(&b, "%x built %x-%x in %d ms\n%s\n", bytes[:16], bytes[:4], bytes[4:6], random.IntN(1000), base64.StdEncoding.EncodeToString(bytes))
	}
	return b.String()[:size]
}
