package memories

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/page"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
)

// A record is a memory as JSON.
type record struct {
	ID           string    `json:"id"`
	Project      string    `json:"project"`      // its name
	ProjectPath  string    `json:"project_path"` // which is its own
	Scope        string    `json:"scope"`
	Kind         string    `json:"kind"`
	Trust        string    `json:"trust"`
	Gist         string    `json:"gist"`
	Content      string    `json:"content"`
	Outcome      string    `json:"outcome,omitempty"`
	Session      string    `json:"session,omitempty"`
	Source       string    `json:"source"`
	Commit       string    `json:"commit,omitempty"`
	Tags         []string  `json:"tags,omitempty"`
	Files        []string  `json:"files,omitempty"`
	Confidence   float64   `json:"confidence"` // 0 to 1
	SupersededBy string    `json:"superseded_by,omitempty"`
	Created      time.Time `json:"created"`
	Updated      time.Time `json:"updated"`
}

// recordOf returns a memory as JSON. JSON escapes some of what controls a terminal, and Visible the rest.
func recordOf(m *memory.Memory) record {
	seen := wording.Visible
	return record{
		m.ID, seen(m.Project.Name), seen(m.Project.Path), string(m.Scope), string(m.Kind), string(m.Trust), seen(m.Gist), seen(m.Content), string(m.Outcome),
		seen(m.Session), seen(m.Source), seen(m.Commit), visible(m.Tags), visible(m.Files), confidence(m), m.SupersededBy, m.Created, m.Updated,
	}
}

func visible(texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, wording.Visible(text))
	}
	return all
}

func confidence(m *memory.Memory) float64 { return m.Alpha / (m.Alpha + m.Beta) }

// printMemory writes what a memory says, and below it what it is.
func printMemory(p *page.Page, m *memory.Memory, foreign bool) {
	p.Row(page.Plain, string(m.Kind), m.Gist)
	p.Row(page.Plain, "", describe(m, foreign))
}

// describe is "mem_3f2a9c01b7de, 12 Mar 2026, observed, success, from project harbor".
func describe(m *memory.Memory, foreign bool) string {
	parts := []string{m.ID, day(m.Created), string(m.Trust)}
	if m.Outcome != memory.Unknown {
		parts = append(parts, string(m.Outcome))
	}
	if m.SupersededBy != "" {
		parts = append(parts, "superseded by "+m.SupersededBy)
	}
	switch {
	case m.Scope == memory.ForUser:
		parts = append(parts, "for you in all projects")
	case m.Scope == memory.ForTeam:
		parts = append(parts, "of the team, from project "+m.Project.Name)
	case foreign:
		parts = append(parts, "from project "+m.Project.Name)
	}
	return strings.Join(parts, ", ")
}

func day(t time.Time) string { return t.Local().Format("2 Jan 2006") }

// printText writes a text of several lines beside one label. Nothing of it is taken for a line of the page: each begins in the
// column of texts.
func printText(p *page.Page, label, text string) {
	for line := range strings.SplitSeq(strings.TrimRight(wording.Visible(text), "\n"), "\n") {
		p.Row(page.Plain, label, line)
		label = ""
	}
}

// kindsOf returns the kinds with some names.
func kindsOf(names []string) (kinds []memory.Kind, err error) {
	for _, name := range names {
		kind := memory.Kind(name)
		if !slices.Contains(recall.Kinds(), kind) {
			var known []string
			for _, k := range recall.Kinds() {
				known = append(known, string(k))
			}
			return nil, &command.UsageError{Err: fmt.Errorf("there is no kind %q, but %s", wording.Line(name, 40), strings.Join(known, ", "))}
		}
		kinds = append(kinds, kind)
	}
	return kinds, nil
}

// A refusal says why nothing was done, and what to do.
type refusal struct{ what, hint string }

func (e *refusal) Error() string { return e.what }

// Hint says what to do.
func (e *refusal) Hint() string { return e.hint }
