package measure_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"tidepool/internal/measure"
)

// The clock of a process shows what the process itself sees, which is counted in microseconds.
func TestCPUOf(t *testing.T) {
	for range 100 {
		before := measure.CPU()
		of, err := measure.CPUOf(os.Getpid())
		if after := measure.CPU(); err != nil || of < before-time.Millisecond || of > after+time.Millisecond {
			t.Fatalf("CPUOf returns %v, %v; CPU returns %v before and %v after", of, err, before, after)
		}
	}
}

func TestCPUOfNoProcess(t *testing.T) {
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if of, err := measure.CPUOf(cmd.Process.Pid); err == nil {
		t.Errorf("CPUOf returns %v for a process that has ended, want an error", of)
	}
}
