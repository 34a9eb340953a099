package serve

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"

	"tidepool/internal/environ"
)

// shedEnvironment starts the process again, under the same pid, with the harmless variables of env, the environment that it
// began with, and those that pass names. Taking the others out of the running process would not do: the kernel shows the user's processes the
// environment that a process began with. It returns only if there are no others, or with an error.
func shedEnvironment(env, pass []string) error {
	harmless := environ.Harmless(env, pass)
	if slices.Equal(harmless, env) {
		return nil
	}
	program, err := os.Executable()
	if err == nil {
		err = syscall.Exec(program, os.Args, harmless)
	}
	return fmt.Errorf("starting again with the harmless part of the environment: %w", err)
}

// commandEnvironment returns the harmless part of an environment that commands get, without what leads to programs of the user's session
// and to the daemon. Programs learn that nobody looks at a terminal.
func commandEnvironment(environment []string) []string {
	kept := slices.DeleteFunc(environ.Harmless(environment, nil), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		switch name {
		case "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "TMUX", "TMUX_PANE", "PWD", "OLDPWD", "TERM", "COLORTERM", "FORCE_COLOR", "CLICOLOR":
			return true
		}
		return strings.HasPrefix(name, "TIDEPOOL_")
	})
	return append(kept, "TERM=dumb", "NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0")
}
