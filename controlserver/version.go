package main

import (
	"fmt"
	"runtime"
)

type versionCommand struct{}

// Run prints the version of this program and of the Go that built it.
func (versionCommand) Run(std stdio) error {
	_, err := fmt.Fprintf(std.out, "controlserver %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
