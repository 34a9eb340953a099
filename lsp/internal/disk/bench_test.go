package disk

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"tidepool/lsp/lsptest"
)

// BenchmarkWalk compares a tree of ten files a directory with its last state: all of it, when nothing has happened,
// and when one file was written.
func BenchmarkWalk(b *testing.B) {
	for _, files := range []int{1_000, 20_000, 200_000} {
		dir := b.TempDir()
		wide(b, dir, files)
		d := New(dir, goFiles())
		b.Cleanup(d.Unwatch)
		d.Walk(nil)
		try := func(name string, watched bool, before func()) {
			b.Run(fmt.Sprintf("files=%d/%s", files, name), func(b *testing.B) {
				for b.Loop() {
					before()
					d.trusted = time.Time{}
					if watched {
						d.trusted = time.Now().Add(time.Hour)
					}
					d.Walk(map[string]bool{})
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/walk")
			})
		}
		try("all", false, func() {})
		try("quiet", true, func() {})
		written := filepath.Join(dir, "g00", "p0000", "f000000.go")
		try("written", true, func() { lsptest.Put(b, written, "package p0000\n") })
	}
}

// wide lays out files without contents.
func wide(t testing.TB, dir string, files int) {
	for i := range files {
		lsptest.Put(t, filepath.Join(dir, fmt.Sprintf("g%02d", i/1000), fmt.Sprintf("p%04d", i/10), fmt.Sprintf("f%06d.go", i)), "")
	}
	settled(t, dir)
}
