package main

import (
	"fmt"
	"os"
	"syscall"

	"tidepool/internal/environ"
)

// shedSecrets starts the process again, under the same pid, without the secrets of its environment. Taking them
// out of the running process would not do: the kernel shows others the environment that a process began with.
// It returns only if there are none, or with an error.
func shedSecrets() error {
	env := os.Environ()
	clean := environ.Scrub(env)
	if len(clean) == len(env) {
		return nil
	}
	program, err := os.Executable()
	if err == nil {
		err = syscall.Exec(program, os.Args, clean)
	}
	return fmt.Errorf("starting again without the secrets in the environment: %w", err)
}
