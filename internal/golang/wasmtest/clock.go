package wasmtest

import (
	"time"

	"github.com/tetratelabs/wazero"
)

// A clock is the clock of a guest. It advances with the processor time of the process, so no test misses a deadline on a busy
// machine, and when the guest sleeps it advances at once by that time. No two readings are the same.
type clock struct {
	begin time.Time
	spent time.Duration // processor time at the beginning
	slept time.Duration
	read  time.Duration // the last reading
}

func newClock() *clock { return &clock{begin: time.Now(), spent: ownTime()} }

func (c *clock) since() time.Duration {
	c.read = max(c.read+1, ownTime()-c.spent+c.slept)
	return c.read
}

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
