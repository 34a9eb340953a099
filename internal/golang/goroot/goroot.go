// Package goroot finds Go's own directory, without running Go.
package goroot

import (
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
)

// Find returns GOROOT: that of the environment or of the build, or else the directory of the go on PATH. What it returns need not be
// there, and a module that asks for a toolchain of its own is built with another one. It is "" where nobody names a Go: a release is built
// without the path of its own.
func Find() string {
	root := build.Default.GOROOT
	if filepath.IsAbs(root) && hasSource(root) {
		return root
	}
	if program, err := exec.LookPath("go"); err == nil {
		if real, err := filepath.EvalSymlinks(program); err == nil {
			return filepath.Dir(filepath.Dir(real))
		}
	}
	return root
}

func hasSource(root string) bool {
	info, err := os.Stat(filepath.Join(root, "src"))
	return err == nil && info.IsDir()
}
