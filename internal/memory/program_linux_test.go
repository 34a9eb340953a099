package memory

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// fileResident returns how many bytes of files the process has mapped and in memory.
func fileResident(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "RssFile:")
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}

// The pages go, and the program goes on.
func TestReleaseProgram(t *testing.T) {
	before := fileResident(t)
	if err := ReleaseProgram(); err != nil {
		t.Fatal(err)
	}
	if after := fileResident(t); after >= before {
		t.Errorf("%d bytes of files before, %d after", before, after)
	}
}

func TestProgramPart(t *testing.T) {
	for line, want := range map[string]bool{
		"00400000-01bcd000 r-xp 00000000 fe:00 10002474                           /bin/d": true,
		"01bcd000-0342e000 r--p 017cd000 fe:00 10002474                           /bin/d": true,
		"0342e000-03569000 rw-p 0302e000 fe:00 10002474                           /bin/d": false,
		"01bcd000-0342e000 r--p 017cd000 fe:00 10002474                           /bin/e": false,
		"7ffd0000-7ffd2000 r-xp 00000000 00:00 0                                  [vdso]": false,
		"c000000000-c000400000 rw-p 00000000 00:00 0":                                     false,
	} {
		start, end, ok := programPart(line, "/bin/d")
		if ok != want || ok && start >= end {
			t.Errorf("%s: %x-%x, %v", line, start, end, ok)
		}
	}
}
