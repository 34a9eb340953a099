package transcript_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/transcript"
	"tidepool/internal/transcript/transcripttest"
)

// BenchmarkRead reads 2,000 generated turns, and the recorded transcripts; "json" is encoding/json over the same lines, those
// of bookkeeping left out, into what a reader needs of them.
func BenchmarkRead(b *testing.B) {
	var generated, recorded []byte
	for s := range transcripttest.Archive(5, 2000, "/home/dev/shop") {
		generated = append(generated, transcripttest.Generate(s.Seed, s.Options).Data()...)
	}
	files, err := filepath.Glob("testdata/recorded/*.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		recorded = append(recorded, data...)
	}
	for name, data := range map[string][]byte{"generated": generated, "recorded": recorded} {
		lines := bytes.Split(data, []byte("\n"))
		b.Run(name, func(b *testing.B) {
			defer perCPU(b, len(data), cpu(b))
			for b.Loop() {
				r := transcript.NewReader(transcript.Sources()[0], "s")
				for i, line := range lines {
					r.Line(int64(i), line)
				}
				r.Take()
			}
		})
		b.Run(name+"/json", func(b *testing.B) {
			defer perCPU(b, len(data), cpu(b))
			for b.Loop() {
				for _, line := range lines {
					if bytes.HasPrefix(line, []byte(`{"type":`)) || bytes.HasPrefix(line, []byte(`{"type": `)) {
						continue
					}
					var record struct {
						UUID, ParentUUID, Type, SessionID, Cwd, GitBranch, Timestamp string
						Message                                                      struct {
							ID, Role string
							Content  json.RawMessage
						}
					}
					_ = json.Unmarshal(line, &record)
				}
			}
		})
	}
}

// cpu returns the time that this process has spent on processors, the collector's share included.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// perCPU reports how many bytes were read in a second of processor time: the machine may have other work.
func perCPU(b *testing.B, size int, since time.Duration) {
	b.ReportMetric(float64(size)*float64(b.N)/1e6/(cpu(b)-since).Seconds(), "MB/cpu-s")
}
