package sandbox

import "testing"

// Each line is as the kernel writes it, see proc_net(5).
func TestBoundPath(t *testing.T) {
	for line, want := range map[string]string{
		"Num       RefCount Protocol Flags    Type St Inode Path\n":                         "Path",
		"0000000000000000: 00000002 00000000 00010000 0001 01    17 /run/with a space/s\n":  "/run/with a space/s",
		"0000000000000000: 00000002 00000000 00010000 0001 01 66417 serving/server.sock\n":  "serving/server.sock",
		"0000000000000000: 00000002 00000000 00010000 0001 01 66417 @of/an/abstract/sock\n": "@of/an/abstract/sock",
		"0000000000000000: 00000003 00000000 00000000 0001 03 66418\n":                      "",
		"": "",
	} {
		if got := boundPath([]byte(line)); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
