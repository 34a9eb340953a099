// Gitleaks searches texts for secrets by gitleaks' engine, for the figures of execbench.
//
// It is a module of its own, so that the engine and what it depends on stay out of this project's. It reads an input as JSON from
// standard input and writes an output.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/zricethezav/gitleaks/v8/detect"
)

// input is what is searched.
type input struct {
	Texts []string // each by itself
	Timed string   // again and again
	Runs  int      // so often
}

// output is what was found.
type output struct {
	Found [][]finding     // by text
	CPU   []time.Duration // processor time of each run
}

// A finding is a secret in a text.
type finding struct {
	Secret  string
	Decoded bool // it is what an encoded part stands for
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	var in input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		return err
	}
	detector, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		return err
	}
	detector.MaxDecodeDepth = 5 // as the program has it
	var out output
	for _, text := range in.Texts {
		found := []finding{}
		for _, f := range detector.DetectString(text) {
			found = append(found, finding{f.Secret, strings.Contains(strings.Join(f.Tags, " "), "decoded")})
		}
		out.Found = append(out.Found, found)
	}
	for range in.Runs {
		start := cpu()
		detector.DetectString(in.Timed)
		out.CPU = append(out.CPU, cpu()-start)
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// cpu returns the processor time of this process so far.
func cpu() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
