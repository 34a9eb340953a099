package trust

import "syscall"

// birthTime returns when a directory was made.
func birthTime(_ string, stat *syscall.Stat_t) int64 { return stat.Birthtimespec.Nano() }
