package command

import (
	"bufio"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// A person at a terminal is told that a call goes on, and is told nothing after its end.
func TestALongCallIsNoted(t *testing.T) {
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Close()
	defer terminal.Close()
	noteWait(terminal)()
	answered := noteWait(terminal)
	line, err := bufio.NewReader(screen).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "waiting for the daemon: ") {
		t.Errorf("%q, %v", line, err)
	}
	answered()
}

// Who is no terminal reads answers alone.
func TestOnlyATerminalIsTold(t *testing.T) {
	noteWait(nil)()
}
