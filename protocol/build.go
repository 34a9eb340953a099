package protocol

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
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

// DescribeBuild returns the line by which a program names itself: its version, its commit, its [Build], and the Go that built it.
// An empty commit means that it is unknown: the program was not built by make.
func DescribeBuild(program, version, commit string) string {
	build := ""
	if path, err := os.Executable(); err == nil {
		build = Build(path)
	}
	return fmt.Sprintf("%s %s (commit %s, build %s, %s %s/%s)", program, version,
		cmp.Or(commit, "unknown"), cmp.Or(build, "unknown"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
