package main

import (
	"fmt"
	"os"
	"syscall"

	"tidepool/agent/internal/launch"
)

// execServer replaces this process by controlserver with the same arguments.
// Commands that are seldom used are implemented there, because every hook would
// pay for what they import. It returns only on failure.
func execServer(p *process) int {
	path, err := launch.Find(p.getenv("PATH"))
	if err == nil {
		argv := append([]string{"agent"}, p.args...) // its help names what a person has typed
		err = &os.PathError{Op: "run", Path: path, Err: syscall.Exec(path, argv, os.Environ())}
	}
	fmt.Fprintf(p.stderr, "error: agent %s is done by %s: %v\nhint: install both programs again, into one directory: run install.sh of a release\n",
		p.args[0], launch.ServerName, err)
	return 1
}
