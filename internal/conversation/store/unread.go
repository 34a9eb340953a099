package store

import (
	"context"
	"database/sql"
	"errors"

	"tidepool/internal/sqlite"
)

// SetUnread stores why some of what was to be read could not be; "": all could.
func (s *Store) SetUnread(ctx context.Context, why string) error {
	before, err := s.Unread(ctx)
	if err != nil || before == why {
		return err
	}
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec("INSERT OR REPLACE INTO meta(key, value) VALUES('unread', ?)", why)
		return err
	})
}

// Unread returns why some of what was to be read could not be, when somebody last tried; "": all could.
func (s *Store) Unread(ctx context.Context) (why string, err error) {
	err = s.db.Reader().QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'unread'").Scan(&why)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return why, err
}
