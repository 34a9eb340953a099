package command

import (
	"fmt"
	"runtime"
)

// Version prints which program this is.
type Version struct{}

// Run prints the version of this program and of the Go that built it.
func (Version) Run(build Build, std Stdio) error {
	_, err := fmt.Fprintf(std.Out, "controlserver %s (%s, %s/%s)\n", build, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// A Build is the version of this program, as the linker has set it.
type Build string
