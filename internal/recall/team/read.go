package team

import (
	"cmp"
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
)

// The columns of a memory, cut to what a memory of ours may have: whoever made the table may have made it without limits.
const columns = `m.id, left(m.author, 64), left(m.role, 64), left(m.project_key, 128), left(m.project, 128), m.kind, left(m.gist, 240), left(m.content, 4000),
	m.outcome, left(m.session, 128), m.turn, left(m.source, 128), left(m.commit_hash, 128), m.tags[1:32], m.files[1:32], m.alpha, m.beta,
	coalesce(m.superseded_by, ''), m.created_at, m.updated_at`

// scan reads the columns of a row.
func scan(r pgx.CollectableRow) (memory.Memory, error) {
	var m memory.Memory
	var role string
	err := r.Scan(&m.ID, &m.Author, &role, &m.Project.Key, &m.Project.Name, &m.Kind, &m.Gist, &m.Content, &m.Outcome, &m.Session, &m.Turn, &m.Source, &m.Commit,
		&m.Tags, &m.Files, &m.Alpha, &m.Beta, &m.SupersededBy, &m.Created, &m.Updated)
	if err != nil {
		return m, err
	}
	m.Author = attribution(m.Author, role)
	m.Scope, m.Trust, m.Kind, m.Outcome = memory.ForTeam, memory.Saved, kindOf(m.Kind), outcomeOf(m.Outcome)
	m.Gist = wording.OneLine(m.Gist)
	m.Tags, m.Files = short(m.Tags), short(m.Files)
	m.Alpha, m.Beta = believed(m.Alpha), believed(m.Beta)
	return m, nil
}

// attribution returns who saved a memory: the name that a program claimed, then "as" and the role that PostgreSQL vouches for if that is
// another one.
func attribution(author, role string) string {
	author, role = wording.OneLine(author), wording.OneLine(role)
	if author == role || author == "" {
		return role
	}
	return author + " as " + role
}

// kindOf returns a kind of ours: Note for one that this program does not know.
func kindOf(k memory.Kind) memory.Kind {
	switch k {
	case memory.Preference, memory.Decision, memory.Fix, memory.Command, memory.Experience, memory.Value, memory.Session, memory.Checkpoint, memory.Remediation:
		return k
	}
	return memory.Note
}

func outcomeOf(o memory.Outcome) memory.Outcome {
	switch o {
	case memory.Success, memory.Failure, memory.Abandoned:
		return o
	}
	return memory.Unknown
}

// believed returns a number that is no less than 1, and no more than a person can have clicked.
func believed(x float64) float64 {
	if !(x >= 1) { // NaN, too
		return 1
	}
	return min(x, 1e6)
}

func short(labels []string) []string {
	var lines []string
	for _, l := range labels {
		lines = append(lines, wording.Line(l, maxLabel))
	}
	return lines
}

// An Expanded is a memory, and those before and behind it in its session.
type Expanded struct {
	memory.Memory
	Before, After []memory.Memory // in the order of the session
}

// Expand returns the memory with an id; nil if there is none. near is how many memories of its session are read on each side.
func (t *Team) Expand(ctx context.Context, id string, near int) (*Expanded, error) {
	return request(ctx, t, func(ctx context.Context) (*Expanded, error) {
		found, err := t.query(ctx, "WHERE m.id = $1", id)
		if err != nil || len(found) == 0 {
			return nil, err
		}
		e := &Expanded{Memory: found[0]}
		if e.Session == "" || near <= 0 {
			return e, nil
		}
		const session = "WHERE m.session = $1 AND m.session <> '' AND m.project = $2 AND "
		if e.After, err = t.query(ctx, session+"m.turn > $3 ORDER BY m.turn, m.n LIMIT $4", e.Session, e.Project.Name, e.Turn, near); err != nil {
			return nil, err
		}
		e.Before, err = t.query(ctx, session+"m.turn < $3 ORDER BY m.turn DESC, m.n DESC LIMIT $4", e.Session, e.Project.Name, e.Turn, near)
		for i, j := 0, len(e.Before)-1; i < j; i, j = i+1, j-1 {
			e.Before[i], e.Before[j] = e.Before[j], e.Before[i]
		}
		return e, err
	})
}

// Forget removes memories, and returns those that were there. The server's vacuum and backups decide when their text is gone.
func (t *Team) Forget(ctx context.Context, ids ...string) ([]memory.Memory, error) {
	return request(ctx, t, func(ctx context.Context) ([]memory.Memory, error) {
		rows, err := t.pool.Query(ctx, "DELETE FROM tidepool.memory m WHERE m.id = ANY($1) RETURNING "+columns, ids)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, scan)
	})
}

// Feedback notes whether a memory has helped, and returns how much it is believed now, from 0 to 1. found is false if there is no such
// memory.
func (t *Team) Feedback(ctx context.Context, id string, helpful bool) (confidence float64, found bool, err error) {
	up, down := 0, 1
	if helpful {
		up, down = 1, 0
	}
	confidences, err := request(ctx, t, func(ctx context.Context) ([]float64, error) {
		rows, err := t.pool.Query(ctx,
			"UPDATE tidepool.memory SET alpha = alpha + $2, beta = beta + $3, updated_at = $4 WHERE id = $1 RETURNING alpha / (alpha + beta)",
			id, up, down, t.options.Now())
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, pgx.RowTo[float64])
	})
	if err != nil || len(confidences) == 0 {
		return 0, false, err
	}
	return confidences[0], true, nil
}

// query returns the memories that a condition selects.
func (t *Team) query(ctx context.Context, where string, args ...any) ([]memory.Memory, error) {
	rows, err := t.pool.Query(ctx, "SELECT "+columns+" FROM tidepool.memory m "+where, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

// Status is how the team's database does.
type Status struct {
	Name     string    // of the database, with its host
	Answered time.Time // the last time; zero: it has not been asked yet
	Away     string    // why it does not answer; "": it does
	Since    time.Time // it is away
	Again    time.Time // it is asked again after this
	Plain    bool      // what is sent over the network is not encrypted, or may not be
}

// Status returns how the database did when it was last asked. It does not ask.
func (t *Team) Status() Status {
	b := t.breaker
	b.mu.Lock()
	defer b.mu.Unlock()
	s := Status{Name: t.name, Answered: b.answered, Plain: mayBePlain(t.pool.Config())}
	if b.failures > 0 {
		s.Away, s.Since, s.Again = cmp.Or(b.away.Why, "unknown"), b.since, b.away.Again
	}
	return s
}
