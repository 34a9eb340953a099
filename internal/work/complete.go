package work

import (
	"context"
	"fmt"
	"strings"
)

// A Completion is the outcome of Complete.
type Completion struct {
	BeadID  string `json:"bead_id"` // "": none was found
	Status  string `json:"status"`  // of the issue now
	Message string `json:"message"`
}

// Complete closes an issue: this one if id is not empty, else the branch's. It refuses while files differ from the last
// commit, and says so in the message; the error is for what could not be asked.
func (w *Work) Complete(ctx context.Context, id string) (Completion, error) {
	if id == "" {
		branch, err := within(ctx, w.times.git, w.branchName)
		if err != nil {
			return Completion{}, err
		}
		if id = w.IssueOf(branch); id == "" {
			return Completion{Status: "open", Message: "Could not determine bead ID. Please provide bead_id argument."}, nil
		}
	}
	bead, err := within(ctx, w.times.tracker, func(ctx context.Context) (*Bead, error) { return w.bead(ctx, id) })
	if err != nil {
		return Completion{BeadID: id}, err
	}
	c := Completion{BeadID: bead.ID, Status: bead.Status}
	if bead.Status == "closed" {
		c.Message = fmt.Sprintf("Bead %s is already closed.", bead.ID)
		return c, nil
	}
	d, err := within(ctx, w.times.git, w.dirt)
	if err != nil {
		return c, err
	}
	if len(d.files) > 0 {
		c.Message = "Warning: You have uncommitted changes. Please commit before completing: " + listed(d.files)
		return c, nil
	}
	closed := func(ctx context.Context) ([]byte, error) { return w.bd(ctx, "close", bead.ID) }
	if _, err := within(ctx, w.times.tracker, closed); err != nil {
		return c, err
	}
	c.Status = "closed"
	c.Message = fmt.Sprintf("Bead %s has been closed. Don't forget to push and create a PR if you haven't already!", bead.ID)
	return c, nil
}

// listed names files, and counts those beyond the first twenty.
func listed(files []DirtyFile) string {
	const shown = 20
	var names []string
	for _, f := range files[:min(shown, len(files))] {
		names = append(names, f.Path)
	}
	text := strings.Join(names, ", ")
	if more := len(files) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
