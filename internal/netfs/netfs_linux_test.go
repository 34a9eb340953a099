package netfs

import "testing"

// A file system that only this kernel has is a local one, and so is what does not exist: its user meets that error itself.
func TestIs(t *testing.T) {
	for _, dir := range []string{"/proc", "/no/such/directory"} {
		if Is(dir) {
			t.Errorf("%s is on a network file system", dir)
		}
	}
}
