// Package sandboxtest builds the process between daemon and command, for tests of what uses a sandbox.
package sandboxtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Build builds the process into a directory and returns what sandbox.Options.Program is to be. It is a static program like the real
// one, also where the tests are not.
func Build(dir string) ([]string, error) {
	program := filepath.Join(dir, "confine")
	cmd := exec.Command("go", "build", "-trimpath", "-o", program, "tidepool/internal/sandbox/sandboxtest/program")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the process: %w: %s", err, out)
	}
	return []string{program}, nil
}
