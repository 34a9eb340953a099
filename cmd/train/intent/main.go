// Command intent fits the weights of package intent to its training
// questions. It is run in the root of the repository, and writes
// scout/intent/weights.txt.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"tidepool/scout/intent"
)

func main() {
	if err := run("scout/intent"); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	examples, err := intent.TrainingExamples(filepath.Join(dir, "testdata"))
	if err != nil {
		return err
	}
	weights, err := os.Create(filepath.Join(dir, "weights.txt"))
	if err != nil {
		return err
	}
	if _, err := intent.Train(examples).WriteTo(weights); err != nil {
		return err
	}
	return weights.Close()
}
