package store

import (
	"database/sql"
	"encoding/hex"
	"errors"
	"strings"
	"time"
)

// A Turn is a turn of a session as it is stored.
type Turn struct {
	ID        uint32 // the number of the document; 0: not stored yet
	Session   int64
	Number    int
	UUID      string // of the prompt's record; "": the source has none
	Copied    bool   // the record names another session
	At        time.Time
	Abandoned bool
	Forgotten bool // its text was removed for good
	Body
}

// Flags of a row.
const (
	abandoned = 1 << iota
	copied
	forgotten
)

func (t *Turn) flags() (flags int) {
	if t.Abandoned {
		flags |= abandoned
	}
	if t.Copied {
		flags |= copied
	}
	if t.Forgotten {
		flags |= forgotten
	}
	return flags
}

func (t *Turn) setFlags(flags int) {
	t.Abandoned, t.Copied, t.Forgotten = flags&abandoned != 0, flags&copied != 0, flags&forgotten != 0
}

// key returns the form of a UUID in the table: 16 bytes if it is one, nil for none.
func key(uuid string) []byte {
	if uuid == "" {
		return nil
	}
	if b, err := hex.DecodeString(strings.ReplaceAll(uuid, "-", "")); err == nil && len(b) == 16 {
		return b
	}
	return []byte(uuid)
}

// A row is a turn and what the table has beside it.
type row struct {
	Turn
	uuid []byte
	same uint32 // 0: none
	sid  string // of the session
	own  bool   // the row has a body
}

// A copy's own body may be NULL: then it is that of the row that it names.
const rowQuery = `SELECT t.id, t.session, t.n, t.uuid, t.at, t.flags, coalesce(t.same, 0), s.sid, t.body IS NOT NULL, coalesce(t.body, o.body)
	FROM turn t JOIN session s ON s.id = t.session LEFT JOIN turn o ON o.id = t.same `

func scanRow(c *codec, from scanner) (r row, err error) {
	var at int64
	var flags int
	var body []byte
	err = from.Scan(&r.ID, &r.Session, &r.Number, &r.uuid, &at, &flags, &r.same, &r.sid, &r.own, &body)
	if err != nil {
		return r, err
	}
	r.At = moment(at)
	r.setFlags(flags)
	r.Body, err = c.decode(body)
	return r, err
}

// PutTurn adds a turn to its session, or replaces the one of its number, unless it is the same. The turn's ID is set.
func (t *Tx) PutTurn(turn *Turn) error {
	uuid := key(turn.UUID)
	if err := t.forget(turn, uuid); err != nil {
		return err
	}
	turns, err := t.turns(turn.Session)
	if err != nil {
		return err
	}
	if turn.Number >= turns {
		return t.addTurn(turn, uuid)
	}
	old, err := scanRow(t.codec, t.row(rowQuery+"WHERE t.session = ? AND t.n = ?", turn.Session, turn.Number))
	if errors.Is(err, sql.ErrNoRows) {
		return t.addTurn(turn, uuid)
	}
	if err != nil {
		return err
	}
	turn.ID = old.ID
	moved := string(uuid) != string(old.uuid)
	if !moved && old.Body.equals(&turn.Body) && old.flags() == turn.flags() && millis(old.At) == millis(turn.At) {
		return nil
	}
	if err := t.release(old); err != nil {
		return err
	}
	body, err := t.codec.encode(&turn.Body)
	if err != nil {
		return err
	}
	t.changed = true
	err = t.exec("UPDATE turn SET rev = ?, uuid = ?, at = ?, flags = ?, same = NULL, body = ? WHERE id = ?",
		t.rev, uuid, millis(turn.At), turn.flags(), body, turn.ID)
	if err == nil && moved {
		err = t.resolve(old.uuid)
	}
	if err != nil {
		return err
	}
	return t.resolve(uuid)
}

func (t *Tx) addTurn(turn *Turn, uuid []byte) error {
	body, err := t.codec.encode(&turn.Body)
	if err != nil {
		return err
	}
	t.changed = true
	id, err := t.insert("INSERT INTO turn(rev, session, n, uuid, at, flags, body) VALUES(?, ?, ?, ?, ?, ?, ?)",
		t.rev, turn.Session, turn.Number, uuid, millis(turn.At), turn.flags(), body)
	if err != nil {
		return err
	}
	turn.ID = uint32(id)
	t.counts[turn.Session] = max(t.counts[turn.Session], turn.Number+1)
	return t.resolve(uuid)
}

// turns returns how many turns a session has in this transaction.
func (t *Tx) turns(session int64) (n int, err error) {
	n, ok := t.counts[session]
	if !ok {
		err = t.row("SELECT turns FROM session WHERE id = ?", session).Scan(&n)
		t.counts[session] = n
	}
	return n, err
}

// count writes the numbers of turns of the sessions that have changed. It is the last statement of a transaction: once per session,
// not per turn.
func (t *Tx) count() error {
	for session, n := range t.counts {
		if err := t.exec("UPDATE session SET turns = ?, rev = ? WHERE id = ? AND turns <> ?", n, t.rev, session, n); err != nil {
			return err
		}
	}
	return nil
}

// forget takes the text of a turn that was forgotten in another session.
func (t *Tx) forget(turn *Turn, uuid []byte) error {
	if !t.known {
		if err := t.row("SELECT EXISTS(SELECT 1 FROM forgotten_turn)").Scan(&t.some); err != nil {
			return err
		}
		t.known = true
	}
	if !t.some || uuid == nil {
		return nil
	}
	err := t.row("SELECT EXISTS(SELECT 1 FROM forgotten_turn WHERE uuid = ?)", uuid).Scan(&turn.Forgotten)
	if turn.Forgotten {
		turn.Body = Body{}
	}
	return err
}

// MarkTurn says whether a turn is abandoned. A turn that is not stored is no error.
func (t *Tx) MarkTurn(session int64, number int, is bool) error {
	var id uint32
	var flags int
	err := t.row("SELECT id, flags FROM turn WHERE session = ? AND n = ?", session, number).Scan(&id, &flags)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (flags&abandoned != 0) == is {
		return nil
	}
	if err != nil {
		return err
	}
	t.changed = true
	return t.exec("UPDATE turn SET flags = ?, rev = ? WHERE id = ?", flags^abandoned, t.rev, id)
}

// Abandoned returns the numbers of a session's turns that are marked as abandoned.
func (t *Tx) Abandoned(session int64) (map[int]bool, error) {
	all := map[int]bool{}
	err := t.each(func(row scanner) error {
		var n int
		err := row.Scan(&n)
		all[n] = true
		return err
	}, "SELECT n FROM turn WHERE session = ? AND flags & 1", session)
	return all, err
}

// Trim removes the turns of a session from a number on. It returns how many there were.
func (t *Tx) Trim(session int64, from int) (int, error) {
	var old []row
	err := t.each(func(row scanner) error {
		r, err := scanRow(t.codec, row)
		old = append(old, r)
		return err
	}, rowQuery+"WHERE t.session = ? AND t.n >= ?", session, from)
	if err != nil || len(old) == 0 {
		return 0, err
	}
	t.changed = true
	for _, r := range old {
		if err := t.removeTurn(r); err != nil {
			return 0, err
		}
	}
	t.counts[session] = from
	return len(old), nil
}

func (t *Tx) removeTurn(r row) error {
	if err := t.release(r); err != nil {
		return err
	}
	if err := t.exec("DELETE FROM turn WHERE id = ?", r.ID); err != nil {
		return err
	}
	if err := t.exec("INSERT INTO removed(id, rev) VALUES(?, ?)", r.ID, t.rev); err != nil {
		return err
	}
	return t.resolve(r.uuid)
}
