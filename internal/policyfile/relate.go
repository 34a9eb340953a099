package policyfile

import (
	"fmt"
	"strings"

	"tidepool/internal/policy"
)

// relate decides which policies override others, and which of those that the model would be told are told.
func (r *reading) relate() {
	all := r.result.Definitions
	owned := map[string]error{}
	own := func(d *policy.Definition) error {
		path := d.Source[:strings.LastIndexByte(d.Source, ':')]
		if _, asked := owned[path]; !asked {
			owned[path] = r.Own(d.Level, path)
		}
		return owned[path]
	}
	for i := range all {
		d := &all[i]
		d.MayOverride = false
		if d.ID == "" || d.Fault != "" {
			continue
		}
		if above, is := higher(all, d); is {
			r.override(d, above, own)
		}
		r.double(all, i)
		if d.Level == policy.Project && d.Severity == policy.Info && !d.Disabled && d.Enforcement != nil {
			if why := own(d); why != nil {
				d.Enforcement = nil
				r.problem(&relationError{d, "is not told to the model: " + why.Error(), "keep the file out of version control and trust the project, if you want it told"})
			}
		}
	}
}

// higher returns a policy of a higher level with the id of d; one that is not overridable if there is any.
func higher(all []policy.Definition, d *policy.Definition) (above *policy.Definition, is bool) {
	for i := range all {
		if other := &all[i]; other.ID == d.ID && other.Level < d.Level && (above == nil || !other.Overridable) {
			above = other
		}
	}
	return above, above != nil
}

// override lets d stand in the place of policies above it, or notes why it does not.
func (r *reading) override(d, above *policy.Definition, own func(*policy.Definition) error) {
	why, advice := "", ""
	switch err := own(d); {
	case err != nil:
		why, advice = err.Error(), "keep the file out of version control, and trust the project"
	default:
		d.MayOverride = true
		if above.Overridable {
			return
		}
		why, advice = "that one is not overridable", "give it an id of its own, or ask whoever keeps "+above.Source
	}
	consequence := "; it counts beside that one"
	if d.Disabled {
		consequence = "; to disable it has no effect"
	}
	r.problem(&relationError{d, fmt.Sprintf("does not override the one of %s: %s%s", above.Source, why, consequence), advice})
}

// double notes that an id stands twice in a level.
func (r *reading) double(all []policy.Definition, i int) {
	for j := range i {
		if all[j].ID == all[i].ID && all[j].Level == all[i].Level {
			r.problem(&relationError{&all[i], "has the id of the one at " + all[j].Source + ": both count", "give one of them another id"})
			return
		}
	}
}

// A relationError is what is wrong with a policy because of another one, or of where it stands.
type relationError struct {
	d            *policy.Definition
	what, advice string
}

func (e *relationError) Error() string {
	return fmt.Sprintf("%s: policy %s %s", e.d.Source, e.d.ID, e.what)
}

// Hint says what to do.
func (e *relationError) Hint() string { return e.advice }
