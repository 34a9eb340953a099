// Package doctor finds out why a project's set-up does not work, and repairs what needs no question.
//
// A [Check] looks at one concern and says what it found, one [Finding] a line: fine, or a problem and what to do about
// it. Looking leaves everything as it is, but for a file that is written and removed where only that tells whether
// one can be. Some problems come with a way to mend them that takes nothing away from anybody; [Examine] goes it if
// it is told to, and looks again.
//
// A check gets plain values and functions from the rest of the program. The package starts no
// goroutines.
package doctor

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"tidepool/internal/wording"
)

// A Finding is one result of a check.
type Finding struct {
	Name  string `json:"name"` // what was checked; unique among those that can be repaired
	OK    bool   `json:"ok"`
	Text  string `json:"text"`            // what is there, or what is wrong
	Fix   string `json:"fix,omitempty"`   // what to do about it; "" if OK
	Fixed bool   `json:"fixed,omitempty"` // it was a problem, and Examine has repaired it

	// Mend does what Fix says; nil: only a person may do it.
	Mend func() error `json:"-"`
}

// A Check examines one thing.
type Check interface {
	// Look returns its findings, at the latest when ctx ends.
	Look(ctx context.Context) []Finding
}

// Examine makes all checks, in their order. With mend it mends what is safe, each check's problems before the next one
// looks.
func Examine(ctx context.Context, checks []Check, mend bool) []Finding {
	var all []Finding
	for _, c := range checks {
		found := c.Look(ctx)
		if mend {
			found = cure(ctx, c, found)
		}
		all = append(all, found...)
	}
	return all
}

// cure repairs what a check has found, and checks again.
func cure(ctx context.Context, c Check, found []Finding) []Finding {
	failed := map[string]error{}
	sick := map[string]bool{}
	for _, f := range found {
		if f.Mend == nil {
			continue
		}
		sick[f.Name] = true
		if err := f.Mend(); err != nil {
			failed[f.Name] = err
		}
	}
	if len(sick) == 0 {
		return found
	}
	again := c.Look(ctx)
	for i := range again {
		f := &again[i]
		f.Fixed = f.OK && sick[f.Name]
		if err := failed[f.Name]; err != nil && !f.OK {
			f.Text += fmt.Sprintf("; it cannot be mended: %v", err)
			f.Mend = nil
		}
	}
	return again
}

// Problems counts the problems, and those of them that Examine could repair.
func Problems(found []Finding) (problems, safe int) {
	for _, f := range found {
		if f.OK {
			continue
		}
		problems++
		if f.Mend != nil {
			safe++
		}
	}
	return problems, safe
}

func fine(name, format string, args ...any) Finding {
	return Finding{Name: name, OK: true, Text: fmt.Sprintf(format, args...)}
}

func problem(name, fix, format string, args ...any) Finding {
	return Finding{Name: name, Fix: fix, Text: fmt.Sprintf(format, args...)}
}

// safely returns a problem that mend repairs.
func (f Finding) safely(mend func() error) Finding {
	f.Mend = mend
	return f
}

// trouble returns the problem of an error. otherwise is its fix if the error has no hint.
func trouble(name, otherwise string, err error) Finding {
	return problem(name, cmp.Or(wording.HintOf(err), otherwise), "%v", err)
}

// quote returns a path quoted for a shell.
func quote(path string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("/._-", r)
	}
	if strings.ContainsFunc(path, func(r rune) bool { return !plain(r) }) {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
