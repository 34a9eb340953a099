// Controlserver is the daemon of a project: it keeps language servers warm and answers hooks and tool calls
// over the socket in the project's .tidepool directory. This package is its command line and the place where the
// parts are put together; what the parts do stands with them.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"tidepool/internal/logging"
)

// version is set by the linker.
var version = "dev"

func main() {
	life, release := untilSignals()
	err := run(life, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr})
	release()
	printError(os.Stderr, err)
	os.Exit(exitCode(err))
}

// A stdio is what a command reads, and where it writes: what was asked for to out, all else to err.
type stdio struct {
	in  *os.File
	out io.Writer
	err *os.File // a terminal gets the daemon's log
}

// exitCode is 0 if all went well, 1 if what was asked for failed, and 2 if it could not be understood.
func exitCode(err error) int {
	if err == nil {
		return 0
	}
	if _, wrong := errors.AsType[*usageError](err); wrong {
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
	var advised interface{ Hint() string }
	if errors.As(err, &advised) && advised.Hint() != "" {
		fmt.Fprintf(w, "hint: %s\n", logging.Escape(advised.Hint()))
	}
}
