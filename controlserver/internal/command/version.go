package command

import (
	"fmt"

	"tidepool/protocol"
)

// Version prints which program this is.
type Version struct{}

// Run prints the version and commit of this program, and the Go that built it.
func (Version) Run(build Build, std Stdio) error {
	_, err := fmt.Fprintln(std.Out, protocol.DescribeBuild("controlserver", build.Version, build.Commit))
	return err
}

// A Build is what the linker has set of this program.
type Build struct {
	Version string // "dev" if make has not built it
	Commit  string // "" if make has not built it
}
