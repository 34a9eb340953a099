// Program is what a Runner starts in tests: it is built without the race detector, under which translating takes a minute.
package main

import (
	"context"
	"fmt"
	"os"

	"tidepool/internal/golang/wasmtest"
)

func main() {
	if err := wasmtest.Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
