package serve

import (
	"fmt"
	"os"
	"slices"
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
