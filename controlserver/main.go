// Controlserver is the daemon of a project: it keeps language servers warm and answers hooks and tool calls
// over the socket in the project's .tidepool directory. This package is its command line: package command has
// the commands, package serve the daemon.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"tidepool/controlserver/internal/command"
	"tidepool/internal/logging"
	"tidepool/internal/wording"
)

// The linker sets version and commit: -X main.version=1.2.3 -X main.commit=0123456789ab.
var (
	version = "dev"
	commit  = ""
)

func main() {
	signals, release := untilSignals()
	err := run(signals, os.Args[1:], command.Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	release()
	printError(os.Stderr, err)
	os.Exit(exitCode(err))
}

// exitCode is 0 if all went well, 1 if what was asked for failed, and 2 if it could not be understood.
func exitCode(err error) int {
	if err == nil {
		return 0
	}
	if _, wrong := errors.AsType[*command.UsageError](err); wrong {
		return 2
	}
	return 1
}

// printError writes each error that err joins with its hint. Texts are escaped: they quote files and programs.
func printError(w io.Writer, err error) {
	if err == nil {
		return
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			printError(w, e)
		}
		return
	}
	fmt.Fprintf(w, "error: %s\n", logging.Escape(err.Error()))
	if hint := wording.HintOf(err); hint != "" {
		fmt.Fprintf(w, "hint: %s\n", logging.Escape(hint))
	}
}
