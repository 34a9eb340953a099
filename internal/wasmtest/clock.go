package wasmtest

import (
	"time"

	"github.com/tetratelabs/wazero"
)

// A clock goes on by itself, and at once as far as a guest wants to sleep. Its beginning is now.
type clock struct {
	begin time.Time
	slept time.Duration
}

func (c *clock) since() time.Duration { return time.Since(c.begin) + c.slept }

func (c *clock) nanoseconds() int64 { return c.begin.UnixNano() + int64(c.since()) }

// sleep moves the clock on, for a hundred years at most in all.
func (c *clock) sleep(nanoseconds int64) {
	const most = 100 * 365 * 24 * time.Hour
	c.slept = min(c.slept+min(max(time.Duration(nanoseconds), 0), most), most)
}

// hand gives it to a guest.
func (c *clock) hand(config wazero.ModuleConfig) wazero.ModuleConfig {
	return config.
		WithNanosleep(c.sleep).
		WithNanotime(func() int64 { return int64(c.since()) }, 1).
		WithWalltime(func() (int64, int32) {
			now := c.nanoseconds()
			return now / int64(time.Second), int32(now % int64(time.Second))
		}, 1)
}
