package server

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// A process that is confined as the daemon is not gets an error and nothing else.
func TestConfinedPeersAreRefused(t *testing.T) {
	path := serveOn(t, Options{})
	// Perl is a part of every Debian; the shell has no sockets.
	const ping = `use IO::Socket::UNIX; $SIG{PIPE} = "IGNORE"; my $s = IO::Socket::UNIX->new($ARGV[0]) or die "connect: $!"; print $s qq({"type":"Ping"}\n); print scalar <$s>;`
	for name, c := range map[string]struct {
		program []string
		flags   uintptr
		want    string
	}{
		"free":             {[]string{"perl"}, 0, `"type":"Pong"`},
		"a user namespace": {[]string{"perl"}, syscall.CLONE_NEWUSER, "another user namespace"},
		"no_new_privs":     {[]string{"setpriv", "--no-new-privs", "perl"}, 0, "no_new_privs"},
	} {
		cmd := exec.Command(c.program[0], append(c.program[1:], "-e", ping, path)...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: c.flags}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if c.flags != 0 {
			id := []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
			cmd.SysProcAttr.UidMappings = id
		}
		out, err := cmd.Output()
		if err != nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %q, %v: %s", name, out, err, stderr.String())
		}
	}
}
