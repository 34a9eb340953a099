package store

import (
	"cmp"
	"slices"
	"strings"
)

// maxCopies is how many turns of one UUID are compared. A transcript that repeats one more often is not what a fork makes.
const maxCopies = 64

// release gives the rows that name a row, which will change or go, a text of their own. They name nothing until resolve is called.
func (t *Tx) release(r row) error {
	var copies []uint32
	err := t.each(func(row scanner) error {
		var id uint32
		err := row.Scan(&id)
		copies = append(copies, id)
		return err
	}, "SELECT id FROM turn WHERE uuid = ? AND same = ?", r.uuid, r.ID)
	if err != nil || len(copies) == 0 {
		return err
	}
	body, err := t.codec.encode(&r.Body)
	if err != nil {
		return err
	}
	for _, id := range copies {
		if err := t.exec("UPDATE turn SET same = NULL, rev = ?, body = coalesce(body, ?) WHERE id = ?", t.rev, body, id); err != nil {
			return err
		}
	}
	return nil
}

// resolve decides which of the rows of a UUID searches find: those that no other one covers; of equals, one that was not copied. The rest
// name the first row that covers them. The result depends on the rows alone, not on their order in the table.
func (t *Tx) resolve(uuid []byte) error {
	if uuid == nil {
		return nil
	}
	var count int
	if err := t.row("SELECT count(*) FROM turn WHERE uuid = ?", uuid).Scan(&count); err != nil || count < 2 || count > maxCopies {
		return err
	}
	var rows []row
	err := t.each(func(from scanner) error {
		r, err := scanRow(t.codec, from)
		rows = append(rows, r)
		return err
	}, rowQuery+"WHERE t.uuid = ?", uuid)
	if err != nil {
		return err
	}
	slices.SortFunc(rows, byWeight)
	var found []row
	for _, r := range rows {
		i := slices.IndexFunc(found, func(f row) bool { return f.covers(&r.Body) })
		if i < 0 {
			err = t.name(r, nil)
			found = append(found, r)
		} else {
			err = t.name(r, &found[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// byWeight puts what covers others first.
func byWeight(a, b row) int {
	original := func(r row) int {
		if r.Copied {
			return 1
		}
		return 0
	}
	return cmp.Or(b.size()-a.size(), a.Cut-b.Cut, original(a)-original(b), strings.Compare(a.sid, b.sid), a.Number-b.Number)
}

// name has a row name the one that is found in its place; nil: it is found itself.
func (t *Tx) name(r row, found *row) error {
	var same any
	keep := true // a text of its own
	if found != nil {
		same, keep = found.ID, !found.equals(&r.Body)
	}
	if (found == nil && r.same == 0 || found != nil && r.same == found.ID) && keep == r.own {
		return nil
	}
	var body []byte
	if keep {
		var err error
		if body, err = t.codec.encode(&r.Body); err != nil {
			return err
		}
	}
	t.changed = true
	return t.exec("UPDATE turn SET same = ?, body = ?, rev = ? WHERE id = ?", same, body, t.rev, r.ID)
}
