package toolstest

import (
	"fmt"
	"os"
	"testing"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/analysis/worker"
)

// Analyse makes the test binary the analysis process, if it is started as that. TestMain must call it before all else.
func Analyse() {
	if os.Args[len(os.Args)-1] != analysis.Subcommand {
		return
	}
	if err := worker.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
	}
	os.Exit(1)
}

// Analysis returns a client of a test binary that calls [Analyse], until the test ends. Any other binary runs no test, and fails
// the questions. A program that the options name is kept.
func Analysis(t testing.TB, o analysis.Options) *analysis.Client {
	t.Helper()
	if o.Program == nil {
		program, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		o.Program = []string{program, "-test.run=^$", analysis.Subcommand}
	}
	client, err := analysis.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}
