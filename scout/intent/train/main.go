// Command train fits the weights of package intent to its training questions.
// It is run in the root of the repository, and writes scout/intent/weights.txt.
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
	var examples []intent.Example
	for _, name := range []string{"training.txt", "patterns.txt"} {
		more, err := read(filepath.Join(dir, "testdata", name))
		if err != nil {
			return err
		}
		examples = append(examples, more...)
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

func read(name string) ([]intent.Example, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	examples, err := intent.ParseExamples(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return examples, nil
}
