package sandbox

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommandSocket: a command at full isolation reaches its own socket and nothing else in that directory. With the network, and at a lower
// level, it has none, and nobody makes one.
func TestCommandSocket(t *testing.T) {
	dir := project(t)
	path := filepath.Join(dir, ".tidepool", "s")
	l, err := net.Listen("unix", path)
	must(t, err)
	defer l.Close()
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "reached") }))
	asked := 0
	line := `ls -A /run; echo "<$OWN>"; curl -sS --max-time 20 --unix-socket /run/tidepool.sock http://x/ 2>/dev/null; curl -sS --unix-socket ` + path + ` http://x/ 2>/dev/null; rm /run/tidepool.sock 2>/dev/null; mv /run/tidepool.sock x 2>/dev/null; :`
	for _, test := range []struct {
		level   Level
		network bool
		want    string
	}{
		{Full, false, "tidepool.sock\n<1>\nreached\n"}, {Full, true, "<>\n"}, {Partial, false, "<>\n"},
	} {
		s := open(t, dir)
		spec := specOf(t, s, line)
		asked = 0
		spec.Network, spec.Socket = test.network, func() (Socket, bool) {
			asked++
			return Socket{Path: path, Env: []string{"OWN=1"}}, true
		}
		out, err := s.at(t.Context(), test.level, spec)
		must(t, err)
		if got := string(out.Stdout.Text); !strings.HasSuffix(got, test.want) || (asked == 1) != strings.Contains(test.want, "reached") {
			t.Errorf("%s, network %t: %q after %d questions, want %q; %s", test.level, test.network, got, asked, test.want, out.Stderr.Text)
		}
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Type() != os.ModeSocket {
		t.Errorf("the socket is gone: %v", err)
	}
	spec := specOf(t, open(t, dir), "ls -A /run")
	spec.Socket = func() (Socket, bool) { return Socket{}, false }
	if out, err := open(t, dir).at(t.Context(), Full, spec); err != nil || len(out.Stdout.Text) != 0 {
		t.Errorf("without a socket after all: %v %s", err, out.Stdout.Text)
	}
}
