package command

import (
	"fmt"
	"os"
	"time"

	"tidepool/internal/logging"
)

// silence is how long a call may take before a person at a terminal is told that it goes on.
const silence = time.Second

// noteWait tells a person at a terminal that an answer takes longer than [silence]. The function that it returns ends that, and
// returns once nothing more is written.
func noteWait(terminal *os.File) (answered func()) {
	if !logging.IsTerminal(terminal) {
		return func() {}
	}
	written := make(chan struct{})
	timer := time.AfterFunc(silence, func() {
		defer close(written)
		fmt.Fprintln(terminal, "waiting for the daemon: after its start, language servers read the project first")
	})
	return func() {
		if !timer.Stop() {
			<-written
		}
	}
}
