//go:build linux && (amd64 || arm64)

package confine

import (
	"os"
	"testing"
)

// The threads of this process are tasks of its user, and a user who runs nothing has none.
func TestTasksOf(t *testing.T) {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := tasksOf(os.Geteuid()); err != nil || got < len(threads) {
		t.Errorf("%d tasks of a user with %d threads here, %v", got, len(threads), err)
	}
	if got, err := tasksOf(1<<31 - 7); err != nil || got != 0 {
		t.Errorf("%d tasks of nobody, %v", got, err)
	}
}
