package recall

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
)

const (
	exportFormat  = "tidepool memories"
	exportVersion = 1
	importAtOnce  = 500     // memories in one transaction
	maxLine       = 1 << 20 // bytes of a line of an import
)

// A header is the first line of an export.
type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// A line is a memory in an export: one JSON object on a line. Times are RFC 3339.
type line struct {
	ID           string         `json:"id"`
	Project      exported       `json:"project"`
	Scope        memory.Scope   `json:"scope"`
	Kind         memory.Kind    `json:"kind"`
	Trust        memory.Trust   `json:"trust"`
	Gist         string         `json:"gist"`
	Content      string         `json:"content"`
	Outcome      memory.Outcome `json:"outcome,omitempty"`
	Session      string         `json:"session,omitempty"`
	Turn         int            `json:"turn,omitempty"`
	Source       string         `json:"source,omitempty"`
	Commit       string         `json:"commit,omitempty"`
	Tags         []string       `json:"tags,omitempty"`
	Files        []string       `json:"files,omitempty"`
	Alpha        float64        `json:"alpha"`
	Beta         float64        `json:"beta"`
	Quiet        bool           `json:"quiet,omitempty"`
	SupersededBy string         `json:"superseded_by,omitempty"`
	Created      time.Time      `json:"created"`
	Updated      time.Time      `json:"updated"`
}

// An exported is a project in an export.
type exported struct {
	Key  string `json:"key"`
	Name string `json:"name"`
	Path string `json:"path"`
}

// Export writes the memories of a project, by its key, name or path, or all of them for "": a header and a line of JSON for each, the
// oldest first. The error may be a *ProjectError.
func (s *Store) Export(ctx context.Context, w io.Writer, project string) error {
	var only map[string]bool
	if project != "" {
		keys, err := s.keysOf(ctx, project)
		if err != nil {
			return err
		}
		only = make(map[string]bool, len(keys))
		for _, key := range keys {
			only[key] = true
		}
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(header{exportFormat, exportVersion}); err != nil {
		return err
	}
	for last := uint32(0); ; {
		records, err := s.db.After(ctx, last, batch)
		if err != nil {
			return err
		}
		if len(records) == 0 {
			return out.Flush()
		}
		last = records[len(records)-1].N
		for i := range records {
			if only != nil && !only[records[i].Project.Key] {
				continue
			}
			if err := enc.Encode(lineOf(&records[i])); err != nil {
				return err
			}
		}
	}
}

func lineOf(r *store.Record) line {
	return line{
		r.ID, exported(r.Project), r.Scope, r.Kind, r.Trust, r.Gist, r.Content, r.Outcome, r.Session, r.Turn, r.Source, r.Commit, r.Tags, r.Files,
		r.Alpha, r.Beta, r.Quiet, r.SupersededBy, r.Created, r.Updated,
	}
}

// Imported says what became of the memories of an import.
type Imported struct {
	New       int
	Known     int // they, or what says the same, are there already
	Forgotten int // they were forgotten here
	Scrubbed  int // of the new ones, secrets were taken out of
}

// A LineError means that a line of an import cannot be read. Those before it were imported.
type LineError struct {
	Line int // counted from 1
	Why  string
}

func (e *LineError) Error() string {
	return fmt.Sprintf("line %d cannot be imported: %s", e.Line, e.Why)
}

// Hint says what to do.
func (*LineError) Hint() string {
	return "import what `agent memory export` has written; lines before this one are there now, and importing them again changes nothing"
}

// Import reads what Export wrote. Memories keep their ids, projects and times. One that is there already, or that was forgotten, is left
// out, so an import can be repeated. It reads a line at a time and writes 500 in one transaction. The error may be a *LineError.
func (s *Store) Import(ctx context.Context, r io.Reader) (Imported, error) {
	i := importing{s: s, lines: bufio.NewScanner(r)}
	i.lines.Buffer(nil, maxLine)
	if err := i.head(); err != nil {
		return Imported{}, err
	}
	for {
		some, err := i.some()
		if len(some) > 0 {
			if err := s.db.WriteThrough(ctx, func(tx *store.Tx) error { return i.write(tx, some) }); err != nil {
				return i.done, err
			}
			i.done.add(i.batch)
		}
		if err != nil || len(some) < importAtOnce {
			return i.done, errors.Join(err, i.link(ctx))
		}
	}
}

// An importing is an import at work.
type importing struct {
	s     *Store
	lines *bufio.Scanner
	at    int // the line
	done  Imported
	batch Imported // of the transaction at work
	links []link   // some 50 bytes for each memory that was superseded
}

// A link says that a memory was superseded by the one with an id, which may come later.
type link struct {
	n  uint32
	by string
}

func (i *Imported) add(o Imported) {
	i.New, i.Known, i.Forgotten, i.Scrubbed = i.New+o.New, i.Known+o.Known, i.Forgotten+o.Forgotten, i.Scrubbed+o.Scrubbed
}

// next returns the next line that is not empty; nil at the end.
func (i *importing) next() ([]byte, error) {
	for i.lines.Scan() {
		i.at++
		if len(i.lines.Bytes()) > 0 {
			return i.lines.Bytes(), nil
		}
	}
	err := i.lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		return nil, &LineError{i.at + 1, "it is longer than 1 MB"}
	}
	return nil, err
}

func (i *importing) head() error {
	data, err := i.next()
	if err != nil {
		return err
	}
	var h header
	if json.Unmarshal(data, &h) != nil || h.Format != exportFormat {
		return &LineError{1, "it does not begin an export of memories"}
	}
	if h.Version > exportVersion {
		return &LineError{1, fmt.Sprintf("a newer program has written it, in version %d", h.Version)}
	}
	return nil
}

// some reads the lines of one transaction. With an error it returns those before it.
func (i *importing) some() (all []incoming, err error) {
	for len(all) < importAtOnce {
		data, err := i.next()
		if err != nil || data == nil {
			return all, err
		}
		one, err := i.parse(data)
		if err != nil {
			return all, err
		}
		all = append(all, one)
	}
	return all, nil
}

// An incoming is a memory that is imported.
type incoming struct {
	refined
	supersededBy string
}

func (i *importing) parse(data []byte) (incoming, error) {
	var l line
	if json.Unmarshal(data, &l) != nil {
		return incoming{}, &LineError{i.at, "it is no JSON of a memory"}
	}
	if !strings.HasPrefix(l.ID, "mem_") || len(l.ID) > 40 || l.Project.Key == "" || l.Alpha <= 0 || l.Beta <= 0 {
		return incoming{}, &LineError{i.at, "it has no id, no project or no confidence"}
	}
	now := i.s.options.Now()
	r, err := i.s.refiner.refine(memory.Draft{
		Scope: l.Scope, Kind: l.Kind, Trust: l.Trust, Gist: l.Gist, Content: l.Content, Outcome: l.Outcome, Session: l.Session, Turn: l.Turn,
		Source: l.Source, Commit: l.Commit, Tags: l.Tags, Files: l.Files, Twice: l.Quiet, At: l.Created,
	}, now)
	if err != nil {
		return incoming{}, &LineError{i.at, err.Error()}
	}
	r.ID, r.Project, r.Alpha, r.Beta = l.ID, memory.Project(l.Project), l.Alpha, l.Beta
	if !l.Updated.Before(r.Created) && l.Updated.Before(now) {
		r.Updated = l.Updated
	}
	return incoming{r, l.SupersededBy}, nil
}

// write writes the memories of one transaction.
func (i *importing) write(tx *store.Tx, some []incoming) error {
	i.batch = Imported{}
	for at := range some {
		if err := i.add(tx, &some[at]); err != nil {
			return err
		}
	}
	return nil
}

// link says what superseded the memories that are new. What is not there superseded nothing.
func (i *importing) link(ctx context.Context) error {
	for some := range slices.Chunk(i.links, importAtOnce) {
		err := i.s.db.WriteThrough(ctx, func(tx *store.Tx) error {
			for _, l := range some {
				by, err := tx.ByID(l.by)
				if err == nil && by != nil && by.N != l.n {
					err = tx.Supersede(l.n, by.N)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (i *importing) add(tx *store.Tx, in *incoming) error {
	forgotten, err := tx.IsForgotten(remembered(&in.Memory))
	if err != nil {
		return err
	}
	if forgotten {
		i.batch.Forgotten++
		return nil
	}
	if err := tx.EnsureProject(in.Project, i.s.options.Now()); err != nil {
		return err
	}
	known, err := tx.ByID(in.ID)
	if err == nil && known == nil {
		known, err = tx.Same(&in.Record)
	}
	if err != nil {
		return err
	}
	if known != nil {
		i.batch.Known++
		return nil
	}
	i.batch.New++
	if len(in.scrubbed) > 0 {
		i.batch.Scrubbed++
	}
	if err := tx.Insert(&in.Record); err != nil {
		return err
	}
	if in.supersededBy != "" {
		i.links = append(i.links, link{in.N, in.supersededBy})
	}
	return tx.AddEvent(in.N, store.Event{What: store.Learned, Session: in.Session, Note: "import", At: i.s.options.Now()})
}
