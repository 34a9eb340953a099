package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// testTime bounds the run of one test.
const testTime = 30 * time.Second

// A block is where a piece of a file begins that is run as one.
type block struct {
	file string // relative to the module
	line int
}

// Coverage is which tests came to which blocks.
type coverage struct {
	tests  map[string]bool           // "directory|TestName", those that passed
	blocks map[block]map[string]bool // all that there are
}

// cover runs each test of a module alone.
func cover(ctx context.Context, dir string) (*coverage, error) {
	module, err := output(ctx, dir, "go", "list", "-m")
	if err != nil {
		return nil, err
	}
	packages, err := output(ctx, dir, "go", "list", "-f", "{{.Dir}}", "./...")
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "fit")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	all := &coverage{tests: make(map[string]bool), blocks: make(map[block]map[string]bool)}
	for _, in := range strings.Fields(packages) {
		if err := all.run(ctx, strings.TrimSpace(module), dir, in, scratch); err != nil {
			return nil, err
		}
	}
	return all, nil
}

var runnable = regexp.MustCompile(`^(Test|Example|Fuzz)`)

// run runs the tests of one package.
func (c *coverage) run(ctx context.Context, module, root, dir, scratch string) error {
	program, profile := filepath.Join(scratch, "tests"), filepath.Join(scratch, "profile")
	if _, err := output(ctx, dir, "go", "test", "-c", "-cover", "-coverpkg", module+"/...", "-o", program, "."); err != nil {
		return err
	}
	if _, err := os.Stat(program); err != nil {
		return nil // it has no tests
	}
	defer os.Remove(program)
	names, err := output(ctx, dir, program, "-test.list", ".")
	if err != nil {
		return err
	}
	below, err := filepath.Rel(root, dir)
	if err != nil {
		return err
	}
	for _, name := range strings.Fields(names) {
		if !runnable.MatchString(name) {
			continue
		}
		alone, cancel := context.WithTimeout(ctx, testTime)
		_, err := output(alone, dir, program, "-test.run", "^"+name+"$", "-test.coverprofile", profile)
		cancel()
		if err != nil {
			continue // what a failing test runs says little
		}
		if err := c.read(profile, module, below+"|"+name); err != nil {
			return err
		}
	}
	return ctx.Err()
}

var profileLine = regexp.MustCompile(`^(.+):(\d+)\.\d+,\d+\.\d+ \d+ (\d+)$`)

// read takes in what a test has run.
func (c *coverage) read(profile, module, test string) error {
	f, err := os.Open(profile)
	if err != nil {
		return err
	}
	defer f.Close()
	c.tests[test] = true
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		m := profileLine.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		line, _ := strconv.Atoi(m[2]) // digits
		at := block{strings.TrimPrefix(m[1], module+"/"), line}
		if c.blocks[at] == nil {
			c.blocks[at] = make(map[string]bool)
		}
		if m[3] != "0" {
			c.blocks[at][test] = true
		}
	}
	return lines.Err()
}

func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", filepath.Base(name), strings.Join(args, " "), err)
	}
	return string(out), nil
}
