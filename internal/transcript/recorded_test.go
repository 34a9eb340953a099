package transcript

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// readAll reads a whole file by a new Reader.
func readAll(s Source, session string, data []byte) *Reader {
	r := NewReader(s, session)
	at := int64(0)
	for line := range bytes.Lines(data) {
		r.Line(at, bytes.TrimSuffix(line, []byte("\n")))
		at += int64(len(line))
	}
	return r
}

// Each transcript in testdata/recorded was written by Claude Code 2.1.328 (long texts of its own are elided); beside it
// stands what is read of it.
func TestRecordedTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/recorded/*.jsonl")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		stem := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(stem, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			session := stem
			if m := regexp.MustCompile(`"sessionId": "([^"]*)"`).FindSubmatch(data); !strings.HasPrefix(stem, "agent-") {
				session = string(m[1])
			}
			r := readAll(claude(), session, data)
			compareGolden(t, filepath.Join("testdata/recorded", stem+".golden.json"), struct {
				Info  Info
				Turns []Turn
			}{r.Info(), r.Take()})
		})
	}
}

func compareGolden(t *testing.T, path string, got any) {
	t.Helper()
	text, err := json.MarshalIndent(got, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, want) {
		t.Errorf("%s differs; got:\n%s", path, text)
	}
}
