package work

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A Bead is an issue of bd. Statuses and kinds of dependencies are the project's own words: any is accepted.
type Bead struct {
	ID           string    `json:"id"`
	Title        string    `json:"title"`
	Description  string    `json:"description"`
	Status       string    `json:"status"`   // open, in_progress, closed, blocked, …
	Priority     int       `json:"priority"` // 0 is the highest
	IssueType    string    `json:"issue_type"`
	Assignee     string    `json:"assignee,omitempty"`
	Owner        string    `json:"owner,omitempty"`
	Labels       []string  `json:"labels,omitempty"`
	Parent       string    `json:"parent,omitempty"`
	CreatedAt    string    `json:"created_at,omitempty"`
	CreatedBy    string    `json:"created_by,omitempty"`
	UpdatedAt    string    `json:"updated_at,omitempty"`
	Dependencies []Related `json:"dependencies"` // what it waits for
	Dependents   []Related `json:"dependents"`   // what waits for it
}

// A Related is an issue that another one depends on, or the other way round.
type Related struct {
	ID             string `json:"id"`
	Title          string `json:"title"`
	Status         string `json:"status"`
	Priority       int    `json:"priority"`
	IssueType      string `json:"issue_type"`
	DependencyType string `json:"dependency_type"` // parent-child, blocks, …
}

// A NoBeadError means that the tracker does not know the issue.
type NoBeadError struct{ ID string }

func (e *NoBeadError) Error() string { return fmt.Sprintf("bd knows no issue %q", e.ID) }

// Hint says how to find one.
func (e *NoBeadError) Hint() string {
	return "bd list shows the issues; pass bead_id as it stands there"
}

// bd runs the tracker, one process at a time: bd locks its store, and the time of a second one would run while it waits. It does
// not run in a project that is not trusted: the directory .beads, which a clone brings along, says what bd starts.
func (w *Work) bd(ctx context.Context, args ...string) ([]byte, error) {
	if !w.trusts() {
		return nil, &UntrustedError{Program: "bd"}
	}
	select {
	case w.tracker <- struct{}{}:
		defer func() { <-w.tracker }()
	case <-ctx.Done():
		return nil, &ProgramError{Program: "bd", Args: args, Err: context.Cause(ctx)}
	}
	return w.runner.run(ctx, "bd", args...)
}

// bead asks the tracker for an issue. It also finds one without the tracker's prefix, as in the name of a branch.
func (w *Work) bead(ctx context.Context, id string) (*Bead, error) {
	bead, err := w.beadCalled(ctx, id)
	var unknown *NoBeadError
	if !errors.As(err, &unknown) || strings.Contains(id, "-") {
		return bead, err
	}
	prefix, prefixErr := w.prefix(ctx)
	if prefixErr != nil || prefix == "" {
		return nil, err
	}
	return w.beadCalled(ctx, prefix+"-"+id)
}

// prefix returns what the tracker's issues begin with; "" if it does not say.
func (w *Work) prefix(ctx context.Context) (string, error) {
	out, err := w.bd(ctx, "where", "--json")
	if err != nil {
		return "", err
	}
	var where struct{ Prefix string }
	if start := jsonStart(out); start >= 0 {
		err = json.Unmarshal(out[start:], &where)
	}
	return where.Prefix, err
}

func (w *Work) beadCalled(ctx context.Context, id string) (*Bead, error) {
	if strings.HasPrefix(id, "-") {
		return nil, &NoBeadError{ID: id}
	}
	out, err := w.bd(ctx, "show", id, "--json")
	var failure *ProgramError
	if errors.As(err, &failure) {
		out = failure.Stdout
	}
	beads, said, parseErr := parseBeads(out)
	switch {
	case len(beads) == 1 && err == nil:
		return &beads[0], nil
	case strings.Contains(said, "no issue") || failure != nil && strings.Contains(failure.Stderr, "no issue found"):
		return nil, &NoBeadError{ID: id}
	case err != nil:
		return nil, err
	case said != "":
		return nil, &ProgramError{Program: "bd", Args: []string{"show"}, Err: errors.New(said)}
	case parseErr != nil:
		return nil, &ProgramError{Program: "bd", Args: []string{"show"}, Err: parseErr}
	}
	return nil, &NoBeadError{ID: id}
}

// parseBeads reads an array of issues, or an object with an error. Lines before either are warnings, which bd prints to
// standard output.
func parseBeads(out []byte) (beads []Bead, said string, err error) {
	start := jsonStart(out)
	if start < 0 {
		return nil, "", errUnreadable(string(out))
	}
	out = out[start:]
	if out[0] == '[' {
		if err := json.NewDecoder(bytes.NewReader(out)).Decode(&beads); err != nil {
			return nil, "", fmt.Errorf("reading its answer: %w", err)
		}
		for i := range beads {
			beads[i].Dependencies = append([]Related{}, beads[i].Dependencies...)
			beads[i].Dependents = append([]Related{}, beads[i].Dependents...)
		}
		return beads, "", nil
	}
	var refusal struct {
		Error string `json:"error"`
	}
	if err := json.NewDecoder(bytes.NewReader(out)).Decode(&refusal); err != nil {
		return nil, "", fmt.Errorf("reading its answer: %w", err)
	}
	return nil, refusal.Error, nil
}

// jsonStart returns where the first line begins that an object or an array begins with; -1 if none does. A warning may begin
// with a bracket, too.
func jsonStart(out []byte) int {
	for at := 0; at < len(out); {
		if out[at] == '[' || out[at] == '{' {
			var value json.RawMessage
			if json.NewDecoder(bytes.NewReader(out[at:])).Decode(&value) == nil {
				return at
			}
		}
		next := bytes.IndexByte(out[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return -1
}

// errUnreadable says that a program answered something that is no answer.
func errUnreadable(out string) error {
	return fmt.Errorf("its answer cannot be read: %q", last(out))
}
