package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tidepool/lsp"
)

const (
	manyCandidates    = 20 // of an ambiguous name no more are listed: the function may be among the others
	mostDifferences   = 400
	listedDifferences = 6 // of one answer
)

// A class is a kind of uses that is counted apart.
type class int

const (
	calling class = iota
	taking
	dispatching
	classCount
)

// A tally counts places: those that are right, those that are none, and those that are missing.
type tally struct{ right, wrong, missing int }

// A score is how answers compare with the truth of one project.
type score struct {
	project
	functions   int
	uses        [classCount]tally
	falsely     int            // answers that are called complete, and are not the truth
	failed      int            // functions that were not found, and answers that are errors
	cut         int            // names with more meanings than are listed
	disagree    int            // functions about which the two ways of asking differ
	partial     int            // answers that are not called complete
	reasons     map[string]int // why
	differences string
}

// ask asks about functions in both ways.
func (b *bench) ask(ctx context.Context, c *subject, functions []function) (s *score, err error) {
	d, err := c.serve(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Stop()) }()
	s = &score{project: c.project, functions: len(functions)}
	for _, f := range functions {
		named, err := d.byName(ctx, f)
		if err != nil {
			return nil, err
		}
		filed, err := d.byFile(ctx, f)
		if err != nil {
			return nil, err
		}
		both := s.compare(c, f, "by name", named)
		if s.compare(c, f, "by file", filed) && both && !slices.Equal(c.places(named), c.places(filed)) {
			s.disagree++
			s.differ("%s: asked by name and by file it has different calls\n", f.Name)
		}
	}
	return s, nil
}

// places returns where an answer has sites in the project.
func (c *subject) places(a answer) []place {
	var all []place
	for _, site := range a.Sites {
		if path, ok := c.Below(site.File); ok {
			all = append(all, place{path, site.Line, site.Column})
		}
	}
	return distinct(all)
}

// compare counts what an answer has, and lacks. It reports whether the answer is about the function.
func (s *score) compare(c *subject, f function, how string, a answer) bool {
	if a.File == nil {
		if len(a.Candidates) >= manyCandidates && how == "by name" {
			s.cut++
			return false
		}
		s.failed++
		s.differ("%s %s:%d %s: %s\n", f.Name, f.At.Path, f.At.Line, how, firstLine(a.text))
		return false
	}
	wrong := s.count(f, how, "calls", calling, c.kept(a, calling), f.Calls)
	wrong += s.count(f, how, "values", taking, c.kept(a, taking), f.Values)
	wrong += s.count(f, how, "through interfaces", dispatching, c.kept(a, dispatching), f.Through)
	wrong += s.lacks(c, f, how, a)
	if a.Completeness.State != lsp.Complete {
		s.partial++
		if s.reasons == nil {
			s.reasons = make(map[string]int)
		}
		s.reasons[string(a.Completeness.State)+": "+a.Completeness.Reason]++
		if wrong > 0 {
			s.differ("  it says: %s %s\n", a.Completeness.State, a.Completeness.Reason)
		}
		return true
	}
	if wrong > 0 && a.Unresolved == 0 {
		s.falsely++
	}
	return true
}

// lacks counts the places that name a function as far as anybody can tell, and that an answer does not have.
func (s *score) lacks(c *subject, f function, how string, a answer) int {
	got := c.places(a)
	missing := slices.DeleteFunc(slices.Clone(f.Named), func(at place) bool { return slices.Contains(got, at) })
	if len(missing) > 0 && a.Completeness.State == lsp.Complete {
		s.differ("%s %s:%d %s lacks what names it: %s\n", f.Name, f.At.Path, f.At.Line, how, list(missing))
		return len(missing)
	}
	return 0
}

// kept returns the sites of a class.
func (c *subject) kept(a answer, of class) []place {
	a.Sites = slices.Clone(a.Sites)
	one := a
	one.Sites = nil
	for _, site := range a.Sites {
		as := calling
		switch {
		case strings.HasPrefix(site.Kind, "interface "):
			as = dispatching
		case site.Kind == "value":
			as = taking
		}
		if as == of {
			one.Sites = append(one.Sites, site)
		}
	}
	return c.places(one)
}

// count compares places of a class, and returns how many differ.
func (s *score) count(f function, how, what string, of class, got, want []place) int {
	var wrong, missing []place
	for _, at := range got {
		if !slices.Contains(want, at) && !f.allows(at) {
			wrong = append(wrong, at)
		}
	}
	for _, at := range want {
		if !slices.Contains(got, at) {
			missing = append(missing, at)
		}
	}
	t := &s.uses[of]
	t.right, t.wrong, t.missing = t.right+len(want)-len(missing), t.wrong+len(wrong), t.missing+len(missing)
	if n := len(wrong) + len(missing); n > 0 {
		s.differ("%s %s:%d %s, %s: lacks %s, has too many: %s\n", f.Name, f.At.Path, f.At.Line, how, what, list(missing), list(wrong))
		return n
	}
	return 0
}

// told returns what differs from the truth, and why answers are not called complete.
func (s *score) told() string {
	text := s.differences
	for _, reason := range slices.Sorted(maps.Keys(s.reasons)) {
		text += fmt.Sprintf("%d answers are %s\n", s.reasons[reason], reason)
	}
	return text
}

// differ notes what differs from the truth.
func (s *score) differ(format string, args ...any) {
	if strings.Count(s.differences, "\n") < mostDifferences {
		s.differences += fmt.Sprintf(format, args...)
	}
}

func list(places []place) string {
	var all []string
	for _, at := range places[:min(len(places), listedDifferences)] {
		all = append(all, fmt.Sprintf("%s:%d:%d", at.Path, at.Line, at.Column))
	}
	return fmt.Sprintf("%d [%s]", len(places), strings.Join(all, " "))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// base returns the last part of a name.
func base(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
