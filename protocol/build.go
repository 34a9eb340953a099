package protocol

import (
	"os"
	"strconv"
)

// Build tells one build of a program from another, for [Attach]: by the size
// of its file and the time at which that was written, because two builds may
// well have the same version. It is "" for a file that cannot be looked at.
func Build(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(info.Size(), 16) + "-" + strconv.FormatInt(info.ModTime().UnixNano(), 16)
}
