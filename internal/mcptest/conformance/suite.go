package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// revisions returns those for which the suite has a set of requirements: one of
// each era.
func revisions() []string { return []string{"2025-11-25", modern} }

// A check is one verdict of the suite.
type check struct {
	ID      string `json:"id"`
	Status  string `json:"status"` // SUCCESS, FAILURE, WARNING, SKIPPED or INFO
	Message string `json:"errorMessage"`
}

// A score is what came of one revision's scenarios.
type score struct {
	revision        string
	passed, applied int // scenarios
	checks          int // that passed in them
	excluded        int // scenarios that do not apply
}

func (s score) String() string {
	return fmt.Sprintf("%d of %d scenarios that apply pass at %s (%d checks)", s.passed, s.applied, s.revision, s.checks)
}

// judge runs the suite's scenarios of each revision at a door, and returns what docs/figures.md must have. The error is what has not
// passed.
func judge(ctx context.Context, c checkout, d door, dir string) (summary string, err error) {
	url, closes, err := d.open()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, closes()) }()

	var scores []string
	var failures []error
	fmt.Printf("%s:\n", d.name)
	for _, revision := range revisions() {
		results := filepath.Join(dir, revision)
		if err := runSuite(ctx, c, url, revision, results); err != nil {
			return "", err
		}
		s, err := count(revision, results, d.exclusions)
		failures = append(failures, err)
		scores = append(scores, s.String())
		fmt.Printf("  %s, %d do not apply\n", s, s.excluded)
	}
	tell(d.exclusions)
	failures = append(failures, unused(d.exclusions))
	return "`" + d.name + "`: " + strings.Join(scores, " and "), errors.Join(failures...)
}

// runSuite leaves a directory for each scenario in results. That scenarios fail
// is no error here.
func runSuite(ctx context.Context, c checkout, url, revision, results string) error {
	cmd := exec.CommandContext(ctx, "node",
		"--import", filepath.Join(c.root, "internal", "mcptest", "conformance", "npm", "node20.mjs"),
		filepath.Join(c.npm, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js"),
		"server", "--url", url, "--requirements", revision, "--output-dir", results)
	output, err := cmd.CombinedOutput()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		return fmt.Errorf("running the conformance suite: %w", err)
	}
	if _, err := os.Stat(results); err != nil {
		return fmt.Errorf("the conformance suite has no results: %w\n%s", err, output)
	}
	return nil
}

// directory is how the suite calls the results of a scenario.
var directory = regexp.MustCompile(`^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$`)

// count goes through the results. The error joins what applies and did not pass.
func count(revision, results string, exclusions []*exclusion) (s score, err error) {
	s.revision = revision
	entries, err := os.ReadDir(results)
	if err != nil {
		return s, err
	}
	var failures []error
	for _, entry := range entries {
		name := directory.FindStringSubmatch(entry.Name())
		if name == nil {
			return s, fmt.Errorf("unexpected result %s", entry.Name())
		}
		if excluded(exclusions, name[1]) {
			s.excluded++
			continue
		}
		checks, err := readChecks(filepath.Join(results, entry.Name(), "checks.json"))
		if err != nil {
			return s, err
		}
		checks = slices.DeleteFunc(checks, func(c check) bool { return excluded(exclusions, c.ID) })
		passed, err := verdict(name[1], revision, checks)
		failures = append(failures, err)
		s.applied++
		s.checks += passed
		if err == nil && passed > 0 {
			s.passed++
		}
	}
	return s, errors.Join(failures...)
}

// verdict counts the checks that passed. The error joins the others.
func verdict(scenario, revision string, checks []check) (passed int, err error) {
	var failures []error
	for _, c := range checks {
		switch c.Status {
		case "SUCCESS":
			passed++
		case "FAILURE", "WARNING":
			failures = append(failures, fmt.Errorf("%s at %s: %s: %s", scenario, revision, c.ID, c.Message))
		}
	}
	return passed, errors.Join(failures...)
}

func readChecks(path string) (checks []check, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := json.NewDecoder(bufio.NewReader(file)).Decode(&checks); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return checks, nil
}
