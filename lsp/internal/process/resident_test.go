package process

import (
	"os"
	"syscall"
	"testing"
)

func TestResident(t *testing.T) {
	group, err := syscall.Getpgid(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if got := Resident(t.Context())[group]; got < 1<<20 {
		t.Errorf("our own group occupies %d bytes", got)
	}
}
