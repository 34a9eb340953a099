package lexer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A megabyte of each language.
//
//	go test ./internal/lexer -run '^$' -bench .
func BenchmarkTokens(b *testing.B) {
	samples, err := filepath.Glob("testdata/sample.*")
	if err != nil || len(samples) == 0 {
		b.Fatal(samples, err)
	}
	for _, path := range samples {
		src, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		src = []byte(strings.Repeat(string(src), 1+(1<<20)/len(src)))
		b.Run(filepath.Ext(path)[1:], func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				Parse(path, src).First()
			}
		})
	}
}
