package main

import (
	"context"
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
)

// pythonOracle is the program that reads Python.
//
//go:embed oracle/pyast.py
var pythonOracle []byte

// systemPython runs oracles: Debian's package of libclang is for Debian's own Python.
const systemPython = "/usr/bin/python3"

// pythonBelow fetches a directory of an npm package, below which Python packages are.
func pythonBelow(below string, packages ...string) func(context.Context, *subject) error {
	return func(ctx context.Context, c *subject) error {
		return unpack(ctx, c, below, packages...)
	}
}

// pythonTruth reads from the syntax trees of a project where each function is used.
func pythonTruth(ctx context.Context, c *subject) ([]function, error) {
	return python(ctx, c, "pyast.py", pythonOracle)
}

// python runs an oracle that is written in Python, beside the project.
func python(ctx context.Context, c *subject, name string, program []byte) ([]function, error) {
	script := filepath.Join(c.Beside, name)
	if err := os.WriteFile(script, program, 0o600); err != nil {
		return nil, err
	}
	return tell(exec.CommandContext(ctx, systemPython, script, c.Dir))
}
