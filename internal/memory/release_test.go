package memory

import (
	"os"
	"runtime"
	"testing"
)

func TestRelease(t *testing.T) {
	if Release(1 << 40) {
		t.Error("a heap below the bound was released")
	}
	const size = 256 << 20
	block := make([]byte, size)
	for i := 0; i < size; i += os.Getpagesize() {
		block[i] = 1
	}
	with := Resident(t.Context(), os.Getpid())
	runtime.KeepAlive(block)
	if !Release(64 << 20) {
		t.Fatal("nothing was released")
	}
	if given := with - Resident(t.Context(), os.Getpid()); given < size/2 {
		t.Errorf("%d bytes of %d went back to the system", given, size)
	}
}
