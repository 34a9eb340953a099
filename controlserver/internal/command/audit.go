package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"tidepool/controlserver/internal/page"
	"tidepool/internal/audit"
	"tidepool/internal/logging"
	"tidepool/internal/state"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// Audit has the commands about the log of what the safe tools did.
type Audit struct {
	Show   auditShowCommand   `cmd:"" default:"withargs" help:"Print the last entries."`
	Verify auditVerifyCommand `cmd:"" help:"Check that no entry was changed, inserted or removed."`
}

type auditShowCommand struct {
	Lines   int    `short:"n" help:"How many of the last entries to print." default:"20"`
	Session string `help:"Only entries of the session whose id begins so." placeholder:"ID"`
	JSON    bool   `help:"Print each entry as a line of JSON."`
}

// Run prints the last entries, the newest last. A chain that does not hold is an error, after the entries before the break.
func (c *auditShowCommand) Run(place protocol.Place, std Stdio) error {
	var last []audit.Line // at most Lines
	_, err := verifyAudit(place, func(l audit.Line) error {
		if strings.HasPrefix(l.Session, c.Session) {
			last = append(last, l)
			last = last[max(0, len(last)-max(0, c.Lines)):]
		}
		return nil
	})
	p := page.New(std.Out)
	for _, l := range last {
		if c.JSON {
			line, failed := json.Marshal(l)
			err = errors.Join(err, failed)
			fmt.Fprintln(std.Out, string(logging.SafeJSON(line)))
			continue
		}
		p.Row(toneOfEntry(l), l.Time.Local().Format(time.DateTime), describeEntry(l))
	}
	if len(last) == 0 && err == nil && !c.JSON {
		p.Text(page.Plain, "no entries")
	}
	return errors.Join(err, p.Err())
}

func toneOfEntry(l audit.Line) page.Tone {
	if l.Refused != "" {
		return page.Odd
	}
	return page.Plain
}

// describeEntry says in a line what was done, and what became of it.
func describeEntry(l audit.Line) string {
	text := l.Tool + " " + wording.Line(wording.Visible(l.Input), 200)
	if l.Refused != "" {
		return text + ": not done: " + wording.Line(wording.Visible(l.Refused), 200)
	}
	var ends []string
	if l.Exit != nil {
		ends = append(ends, fmt.Sprintf("exit %d", *l.Exit))
	}
	ends = append(ends, fmt.Sprintf("%d ms", l.MS), wording.Count(int(l.Bytes), "byte"))
	if l.Isolation != "" {
		ends = append(ends, "isolation "+l.Isolation)
	}
	if len(l.Secrets) > 0 {
		ends = append(ends, "secrets: "+strings.Join(slices.Sorted(maps.Keys(l.Secrets)), ", "))
	}
	return text + ": " + strings.Join(ends, ", ")
}

type auditVerifyCommand struct{}

// Run checks the chain, and prints how far it reaches and the hash of its end, which shows later whether entries are missing there.
func (auditVerifyCommand) Run(place protocol.Place, std Stdio) error {
	report, err := verifyAudit(place, nil)
	if err != nil {
		return err
	}
	p := page.New(std.Out)
	switch {
	case report.Entries == 0:
		p.Text(page.Plain, "no entries")
	default:
		p.Row(page.Good, "the chain holds", fmt.Sprintf("%s, %d to %d", wording.Count(report.Entries, "entry"), report.First, report.Last))
		p.Line(page.Plain, "hash of the last", report.Head)
	}
	if report.First > 1 {
		p.Row(page.Plain, "before", fmt.Sprintf("entries 1 to %d have become too old to be kept", report.First-1))
	}
	if report.Unfinished > 0 {
		p.Row(page.Odd, "at the end", wording.Count(report.Unfinished, "byte")+" of a line that is being written, or was when the machine stopped")
	}
	return p.Err()
}

// verifyAudit checks the log of a project; one that does not exist has no entries.
func verifyAudit(place protocol.Place, visit func(audit.Line) error) (report audit.Report, err error) {
	dir, err := state.Open(state.Of(place.Project))
	if errors.Is(err, fs.ErrNotExist) {
		return report, nil
	}
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	return audit.Verify(dir, visit)
}
