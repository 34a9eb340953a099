package memory

import (
	"fmt"
	"strings"
	"time"

	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
)

// Limits of what an answer shows of a memory, in characters.
const (
	mostContent = 500
	mostName    = 80
)

// A remembered memory is one in an output.
type remembered struct {
	ID           string   `json:"id"`
	Kind         string   `json:"kind"`
	Gist         string   `json:"gist"`
	Content      string   `json:"content"`
	Project      string   `json:"project"` // its name
	Foreign      bool     `json:"foreign,omitempty"`
	Scope        string   `json:"scope"`
	Session      string   `json:"session,omitempty"`
	At           string   `json:"at"`               // RFC 3339, UTC
	Author       string   `json:"author,omitempty"` // who saved it for the team
	Trust        string   `json:"trust"`            // said, saved, observed, drafted
	Outcome      string   `json:"outcome,omitempty"`
	Confidence   float64  `json:"confidence"`
	Score        float64  `json:"score,omitempty"`
	Tags         []string `json:"tags,omitempty"`
	Files        []string `json:"files,omitempty"`
	SupersededBy string   `json:"superseded_by,omitempty"`

	memory memory.Memory
}

// rememberedAs returns a memory as an output shows it to the project, with so much of its content.
func rememberedAs(m memory.Memory, own memory.Project, content int) remembered {
	return remembered{
		ID: m.ID, Kind: string(m.Kind), Gist: wording.Stored(m.Gist, memory.MaxGist), Content: wording.Clip(wording.Unmarked(m.Content), content),
		Project: wording.Stored(m.Project.Name, mostName), Foreign: m.Project.Key != own.Key || m.Scope == memory.ForTeam, Scope: string(m.Scope), Session: wording.Stored(m.Session, mostName),
		At: timestamp(m.Created), Author: wording.Stored(m.Author, mostName), Trust: string(m.Trust), Outcome: string(m.Outcome), Confidence: confidence(m),
		Tags: unmarked(m.Tags), Files: unmarked(m.Files), SupersededBy: m.SupersededBy, memory: m,
	}
}

func rememberedHit(h recall.Hit, own memory.Project) remembered {
	r := rememberedAs(h.Memory, own, mostContent)
	r.Score, r.Foreign = rounded(h.Score), h.Foreign
	return r
}

// confidence is how much feedback has made of a memory, from 0 to 1.
func confidence(m memory.Memory) float64 {
	if m.Alpha+m.Beta <= 0 {
		return 0.5
	}
	return rounded(m.Alpha / (m.Alpha + m.Beta))
}

// rounded keeps four decimals.
func rounded(x float64) float64 { return float64(int64(x*1e4+0.5)) / 1e4 }

// heading is a memory on one line: what it is, its gist and its id.
func (r remembered) heading(now time.Time) string {
	facts := []string{r.Kind}
	if day := day(r.memory.Created, now); day != "" {
		facts = append(facts, day)
	}
	facts = append(facts, r.told())
	if r.Outcome != "" {
		facts = append(facts, r.Outcome)
	}
	if r.SupersededBy != "" {
		facts = append(facts, "superseded by "+r.SupersededBy)
	}
	return fmt.Sprintf("[%s] %s (%s)", strings.Join(facts, ", "), r.Gist, r.ID)
}

// told says how the memory came about.
func (r remembered) told() string {
	switch {
	case r.memory.Trust == memory.Said:
		return "said by the user"
	case r.Author != "":
		return r.Trust + " by " + r.Author
	}
	return r.Trust
}

// attribution heads a memory of another project; "" for one of its own.
func (r remembered) attribution() string {
	if !r.Foreign {
		return ""
	}
	return "[From project: " + r.Project + "]\n"
}

// quoted returns a text on lines that begin with |.
func quoted(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString(strings.TrimRight("   | "+line, " ") + "\n")
	}
	return b.String()
}

// day returns the day of a time for somebody who reads it at now: "3 Nov", with the year if it is another one.
func day(at, now time.Time) string {
	local := at.In(now.Location())
	switch {
	case at.IsZero():
		return ""
	case local.Year() == now.Year():
		return local.Format("2 Jan")
	}
	return local.Format("2 Jan 2006")
}

// timestamp returns a time for a program; "" for none.
func timestamp(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// unmarked returns texts on a line each, as they may be shown; nil for none.
func unmarked(texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, wording.OneLine(wording.Unmarked(text)))
	}
	return all
}
