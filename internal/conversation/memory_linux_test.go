package conversation

import (
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Lines of any length take bounded memory.
func TestMemoryOfLongLines(t *testing.T) {
	peak := func(write func(*os.File)) int {
		f := newFixture(t)
		f.say("s", "u0", "", "zebra", "yes")
		file, err := os.OpenFile(f.path("s"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		write(file)
		f.say("s", "u9", "u0", "giraffe", "no")
		cmd, out := f.start("read")
		line, err := out.ReadString('\n')
		if err := errors.Join(err, cmd.Wait()); err != nil {
			t.Fatal(err)
		}
		if got := places(search(t, f.read(), Query{Text: "zebra giraffe"})); len(got) != 2 {
			t.Errorf("found %v", got)
		}
		bytes, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	least := peak(func(*os.File) {})
	hole := peak(func(file *os.File) {
		end, err := file.Seek(500<<20, io.SeekEnd)
		if err == nil {
			err = file.Truncate(end) // a hole reads as NULs
		}
		if err == nil {
			_, err = file.WriteString("\n")
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	if took := hole - least; took > memoryFactor*16<<20 {
		t.Errorf("a line of 500 MB takes %d MB", took>>20)
	}
	prompt := peak(func(file *os.File) {
		line := `{"type":"user","uuid":"u5","message":{"role":"user","content":"` + strings.Repeat("elephant ", 60<<20/9) + `"}}` + "\n"
		if _, err := file.WriteString(line); err != nil {
			t.Fatal(err)
		}
	})
	if took := prompt - least; took > memoryFactor*160<<20 {
		t.Errorf("a prompt of 60 MB takes %d MB", took>>20)
	}
	t.Logf("peak memory: %d MB, with a line of 500 MB %d MB, with a prompt of 60 MB %d MB", least>>20, hole>>20, prompt>>20)
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
