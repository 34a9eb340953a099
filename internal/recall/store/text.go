package store

import (
	"context"
	"encoding/json"
	"strings"

	"tidepool/internal/recall/memory"
	"tidepool/internal/sqlite"
)

// Texts returns what an index has of the memories with some numbers: number, text, labels, and when they were made. Those that are gone are
// left out. It takes half as long as Records.
func (d *DB) Texts(ctx context.Context, ns []uint32) ([]memory.Memory, error) {
	if len(ns) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(ns)
	if err != nil {
		return nil, err
	}
	all := make([]memory.Memory, 0, len(ns))
	err = each(d.reader(ctx), func(row sqlite.Row) error {
		var m memory.Memory
		var created int64
		var labels string
		if err := row.Scan(&m.N, &created, &m.Gist, &m.Content, &labels); err != nil {
			return err
		}
		m.Created = moment(created)
		err := setLabels(&m, labels)
		all = append(all, m)
		return err
	}, `SELECT m.n, m.created_at, m.gist, m.content, (SELECT json_group_array(kind || value ORDER BY value) FROM label WHERE memory = m.n)
		FROM memory m WHERE m.n IN (SELECT value FROM json_each(?)) ORDER BY m.n`, string(list))
	return all, err
}

// setLabels gives a memory the labels of a JSON array: each begins with its kind, "tag" or "file".
func setLabels(m *memory.Memory, array string) error {
	labels, err := list(array)
	for _, label := range labels {
		if tag, is := strings.CutPrefix(label, "tag"); is {
			m.Tags = append(m.Tags, tag)
		} else {
			m.Files = append(m.Files, strings.TrimPrefix(label, "file"))
		}
	}
	return err
}
