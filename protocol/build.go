package protocol

import (
	"os"
	"strconv"
)

// Build identifies a build of a program, for [Attach], by the size of its file
// and its modification time: two builds may have the same version. It returns ""
// for a file that cannot be examined.
func Build(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(info.Size(), 16) + "-" + strconv.FormatInt(info.ModTime().UnixNano(), 16)
}
