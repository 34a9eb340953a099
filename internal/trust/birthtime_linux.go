package trust

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// birthTime returns when a directory was made, 0 if that is not known.
func birthTime(dir string, _ *syscall.Stat_t) int64 {
	var stat unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, dir, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BTIME, &stat)
	if err != nil || stat.Mask&unix.STATX_BTIME == 0 {
		return 0
	}
	return time.Unix(stat.Btime.Sec, int64(stat.Btime.Nsec)).UnixNano()
}
