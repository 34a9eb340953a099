package store

import (
	"context"
	"encoding/json"

	"tidepool/internal/sqlite"
)

// Unembedded returns memories that have no vector of a model, the newest first, at most limit. It looks at each memory: some 50 ms for
// 100,000.
func (d *DB) Unembedded(ctx context.Context, model string, limit int) ([]Record, error) {
	return records(d.reader(ctx), "WHERE NOT EXISTS(SELECT 1 FROM vector v WHERE v.n = m.n AND v.model = ?) ORDER BY m.n DESC LIMIT ?", model, limit)
}

// SetVector keeps the vector of a memory. One that has been removed or changed since it was read is no error, and gets none.
func (t *Tx) SetVector(r *Record, model string, data []byte) error {
	return t.exec(`INSERT OR REPLACE INTO vector(n, model, data) SELECT n, ?, ? FROM memory WHERE n = ? AND gist = ? AND content = ?`,
		model, data, r.N, r.Gist, r.Content)
}

// Vectors returns the vectors that memories have of a model, by number.
func (d *DB) Vectors(ctx context.Context, model string, ns []uint32) (map[uint32][]byte, error) {
	list, err := json.Marshal(ns)
	if err != nil {
		return nil, err
	}
	found := make(map[uint32][]byte, len(ns))
	err = each(d.reader(ctx), func(row sqlite.Row) error {
		var n uint32
		var data []byte
		err := row.Scan(&n, &data)
		found[n] = data
		return err
	}, "SELECT n, data FROM vector WHERE model = ? AND n IN (SELECT value FROM json_each(?))", model, string(list))
	return found, err
}
