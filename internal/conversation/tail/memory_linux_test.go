package tail

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Lines of any length take the memory of the longest one that is kept.
func TestMemoryOfLongLines(t *testing.T) {
	size := func(mb int64) int64 {
		h := newHome(t)
		path := filepath.Join(h.slug, "a.jsonl")
		h.append(path, first)
		start := int64(len(first))
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		must(t, err)
		defer f.Close()
		end := start + mb<<20 // what lies between is a hole in the file, which reads as NULs
		_, err = f.WriteAt([]byte("\n"+first), end)
		must(t, err)
		r := run(t, "read", h.dir, nil)
		long := fmt.Sprintf("%d+%d", start, mb<<20)
		if mb<<20 >= MaxLine {
			long = fmt.Sprintf("%d over %d", start, mb<<20+1)
		}
		want := []string{fmt.Sprintf("0+%d", start-1), long, fmt.Sprintf("%d+%d", end+1, start-1)}
		if fmt.Sprint(r.Lines) != fmt.Sprint(want) {
			t.Errorf("lines %q, want %q", r.Lines, want)
		}
		return r.Peak
	}
	least := size(1)
	if took := size(500) - least; took > memoryFactor*8<<20 {
		t.Errorf("a line of 500 MB takes %d MB", took>>20)
	}
	if took := size(60) - least; took > memoryFactor*80<<20 {
		t.Errorf("a line of 60 MB takes %d MB", took>>20)
	}
}

// peakMemory returns the most resident memory that this process has had, in bytes. What getrusage says begins with that of the parent.
func peakMemory() (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if size, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseInt(strings.Fields(size)[0], 10, 64)
			return kb << 10, err
		}
	}
	return 0, errors.New("no VmHWM in /proc/self/status")
}
