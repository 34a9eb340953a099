package store

import (
	"context"

	"tidepool/internal/recall/memory"
	"tidepool/internal/sqlite"
)

// Counts says how much there is.
type Counts struct {
	Memories  int
	Kinds     map[memory.Kind]int
	Projects  map[string]int // memories, by key of the project
	Entries   int            // of the journal
	Forgotten int
	Bytes     int64 // of the database, without its log
}

// Counts counts.
func (d *DB) Counts(ctx context.Context) (Counts, error) {
	c := Counts{Kinds: map[memory.Kind]int{}, Projects: map[string]int{}}
	r := d.reader(ctx)
	err := each(r, func(row sqlite.Row) error {
		var project string
		var kind memory.Kind
		var n int
		err := row.Scan(&project, &kind, &n)
		c.Memories += n
		c.Kinds[kind] += n
		c.Projects[project] += n
		return err
	}, "SELECT project, kind, count(*) FROM memory GROUP BY project, kind")
	if err != nil {
		return c, err
	}
	err = r.row(`SELECT (SELECT count(*) FROM journal), (SELECT count(*) FROM forgotten),
		(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)`).Scan(&c.Entries, &c.Forgotten, &c.Bytes)
	return c, err
}
