package command

import (
	"errors"

	"tidepool/internal/sandbox/confine"
)

// Sandbox confines a command, for a daemon that has no agent beside it, which starts faster.
type Sandbox struct{}

// Run is the process between a daemon and a confined command, see package confine. Its report says what went wrong.
func (Sandbox) Run() error {
	if confine.Main() != 0 {
		return errors.New("this process is for a daemon to start: it has got no plan, or nobody reads its report")
	}
	return nil
}
