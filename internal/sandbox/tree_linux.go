package sandbox

import (
	"syscall"
	"time"
)

func statChanged(stat *syscall.Stat_t) time.Time { return time.Unix(stat.Ctim.Unix()) }
