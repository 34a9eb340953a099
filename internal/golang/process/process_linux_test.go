package process

import (
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

func TestNice(t *testing.T) {
	own, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, nice := range []int{0, 19} {
		p, err := Start(exec.Command("cat", "/dev/zero"), nice)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unix.Getpriority(unix.PRIO_PROCESS, p.Cmd.Process.Pid)
		p.Kill()
		want := own
		if nice != 0 {
			want = 20 - nice // so the kernel counts
		}
		if err != nil || got != want {
			t.Errorf("niceness %d: %d, %v", nice, got, err)
		}
	}
}
