// Program is the process between daemon and command and nothing else, for tests.
package main

import (
	"os"

	"tidepool/internal/sandbox/confine"
)

func main() { os.Exit(confine.Main()) }
