package team

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall/index"
	"tidepool/internal/recall/memory"
	"tidepool/internal/scrub"
	"tidepool/internal/wording"
)

// Bounds of a row beside those of a memory, in characters.
const (
	maxAuthor = 64
	maxName   = 128 // of a project, a session, a source, a commit
	maxLabel  = 256 // of a tag or a file
	maxLabels = 32  // of each kind
)

// idPrefix begins the id of each memory of a team. Those of this machine begin otherwise.
const idPrefix = "team_"

// Has reports whether an id is that of a team's memory.
func Has(id string) bool { return strings.HasPrefix(id, idPrefix) }

// Saved says what became of a draft.
type Saved struct {
	ID       string
	Kept     string   // "new"; "merged": somebody has saved the same words of this project; "superseded": it has taken another one's place
	Scrubbed []string // the names of the rules whose secrets were removed
}

// A WithheldError means that a draft was not saved, because it could not be searched for secrets.
type WithheldError struct{}

func (*WithheldError) Error() string {
	return "the memory is not saved: searching it for secrets failed"
}

// Hint says what may help.
func (*WithheldError) Hint() string { return "save a shorter or simpler text" }

// Save keeps a draft for the team. It is cut to its limits, and secrets are removed from it. It is kept when Save returns without an error;
// after a *LateError it may have been.
func (t *Team) Save(ctx context.Context, of memory.Project, d memory.Draft) (Saved, error) {
	if d.Supersedes != "" && !Has(d.Supersedes) {
		return Saved{}, &foreignError{d.Supersedes}
	}
	row, scrubbed, err := t.row(of, d)
	if err != nil {
		return Saved{}, err
	}
	saved, err := request(ctx, t, func(ctx context.Context) (saved Saved, err error) {
		err = pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) error {
			saved, err = insert(ctx, tx, row, d.Supersedes)
			return err
		})
		return saved, err
	})
	saved.Scrubbed = scrubbed
	return saved, err
}

// A foreignError means that a team's memory was to take the place of one that is none.
type foreignError struct{ id string }

func (e *foreignError) Error() string { return fmt.Sprintf("%.64q is no memory of the team", e.id) }

// Hint says what to do.
func (*foreignError) Hint() string {
	return "save it without supersedes; a memory of this machine is forgotten with memory_forget"
}

const insertion = `
INSERT INTO tidepool.memory(id, author, project_key, project, kind, gist, content, outcome, session, turn, source, commit_hash, tags, files,
  fingerprint, created_at, updated_at, words, words_version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, array_to_tsvector($17::text[]), $18)
ON CONFLICT (project, fingerprint) DO UPDATE SET updated_at = excluded.updated_at
RETURNING id`

func insert(ctx context.Context, tx pgx.Tx, m memory.Memory, supersedes string) (Saved, error) {
	saved := Saved{Kept: "new"}
	err := tx.QueryRow(ctx, insertion, m.ID, m.Author, m.Project.Key, m.Project.Name, m.Kind, m.Gist, m.Content, m.Outcome, m.Session, m.Turn, m.Source,
		m.Commit, m.Tags, m.Files, fingerprint(m.Gist+"\n"+m.Content), m.Created, words(index.DocOf(&m).Text), fulltext.WordsVersion).Scan(&saved.ID)
	switch {
	case err != nil:
		return saved, err
	case saved.ID != m.ID:
		saved.Kept = "merged"
	}
	if supersedes == "" || supersedes == saved.ID {
		return saved, nil
	}
	tag, err := tx.Exec(ctx, "UPDATE tidepool.memory SET superseded_by = $1, updated_at = $2 WHERE id = $3", saved.ID, m.Created, supersedes)
	if err != nil {
		return saved, err
	}
	if tag.RowsAffected() > 0 {
		saved.Kept = "superseded"
	}
	return saved, nil
}

// row makes a draft fit for the database. It also returns the names of the rules that found secrets.
func (t *Team) row(of memory.Project, d memory.Draft) (memory.Memory, []string, error) {
	c := cleaner{scrub: t.options.Scrub}
	at := d.At
	if at.IsZero() {
		at = t.options.Now()
	}
	m := memory.Memory{
		ID: newID(), Scope: memory.ForTeam, Kind: cmp.Or(d.Kind, memory.Note), Trust: memory.Saved, Author: c.line(t.options.Author, maxAuthor), Outcome: d.Outcome,
		Project: memory.Project{Key: c.line(of.Key, maxName), Name: c.line(of.Name, maxName)},
		Content: wording.Clip(c.text(d.Content), memory.MaxContent), Session: c.line(d.Session, maxName), Turn: d.Turn,
		Source: c.line(d.Source, maxName), Commit: c.line(d.Commit, maxName), Tags: c.labels(d.Tags), Files: c.labels(relative(of.Path, d.Files)),
		Created: at,
	}
	first, _, _ := strings.Cut(strings.TrimSpace(m.Content), "\n")
	m.Gist = cmp.Or(c.line(d.Gist, memory.MaxGist), wording.Line(first, memory.MaxGist))
	m.Content = cmp.Or(m.Content, m.Gist)
	switch {
	case c.withheld:
		return memory.Memory{}, nil, &WithheldError{}
	case m.Content == "":
		return memory.Memory{}, nil, errors.New("the memory is empty")
	}
	return m, c.found, nil
}

func newID() string {
	random := make([]byte, 6)
	_, _ = rand.Read(random) // never fails
	return idPrefix + hex.EncodeToString(random)
}

// words returns the distinct words of a text, sorted.
func words(text string) []string {
	return slices.Compact(slices.Sorted(slices.Values(fulltext.Words(text))))
}

// fingerprint returns what texts of the same words have in common.
func fingerprint(text string) []byte {
	sum := sha256.Sum256([]byte(strings.Join(words(text), " ")))
	return sum[:16]
}

// relative returns files by their paths below a project. Where a file is that lies elsewhere is of no use on another machine, and is
// left out.
func relative(project string, files []string) []string {
	var inside []string
	for _, file := range files {
		if filepath.IsAbs(file) {
			below, err := filepath.Rel(project, file)
			if err != nil || project == "" {
				continue
			}
			file = below
		}
		if filepath.IsLocal(file) {
			inside = append(inside, filepath.ToSlash(file))
		}
	}
	return inside
}

// A cleaner makes texts fit to leave this machine, and notes what it found in them.
type cleaner struct {
	scrub    *scrub.Scrubber
	found    []string
	withheld bool
}

// text returns a text without secrets, in valid UTF-8. PostgreSQL takes no NUL.
func (c *cleaner) text(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	clean, found := c.scrub.Text(text)
	for _, f := range found {
		c.withheld = c.withheld || f.Rule == scrub.Withheld
		if !slices.Contains(c.found, f.Rule) {
			c.found = append(c.found, f.Rule)
		}
	}
	return clean
}

func (c *cleaner) line(text string, most int) string { return wording.Line(c.text(text), most) }

func (c *cleaner) labels(values []string) []string {
	clean := []string{}
	for _, v := range values[:min(len(values), maxLabels)] {
		if v = c.line(v, maxLabel); v != "" {
			clean = append(clean, v)
		}
	}
	return clean
}
