package memory

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"testing"
)

func TestResident(t *testing.T) {
	debug.FreeOSMemory() // what the heap still has would be used again, and nothing would grow
	before, private := Resident(t.Context(), os.Getpid()), Private(t.Context(), os.Getpid())
	if before < 1<<20 || before > 1<<30 {
		t.Fatalf("this process has %d bytes", before)
	}
	const size = 64 << 20
	block := make([]byte, size)
	for i := 0; i < size; i += os.Getpagesize() {
		block[i] = 1
	}
	if grown := Resident(t.Context(), os.Getpid()) - before; grown < size/2 {
		t.Errorf("after writing to %d bytes it has %d more", size, grown)
	}
	if grown := Private(t.Context(), os.Getpid()) - private; grown < size/2 || private > before {
		t.Errorf("of %d bytes %d were its own, and %d more are", before, private, grown)
	}
	runtime.KeepAlive(block)
}

func TestResidentOfNobody(t *testing.T) {
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	for _, pid := range []int{ended.Process.Pid, 0, -1} {
		if got := Resident(t.Context(), pid); got != 0 {
			t.Errorf("process %d has %d bytes", pid, got)
		}
	}
}
