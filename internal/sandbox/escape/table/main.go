//go:build linux

// Command table tries a share of the table of ways out: what to try comes as JSON on its standard input, and the results go to its
// standard output. A Stage builds it, so that worlds are built and looked at by a program without the race detector, also where the
// tests have it: its goroutines are tested with it elsewhere, and each process that it forks costs three times as much.
package main

import (
	"context"
	"fmt"
	"os"

	"tidepool/internal/sandbox/escape"
)

func main() {
	if err := escape.Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
