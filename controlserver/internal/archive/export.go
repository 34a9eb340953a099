package archive

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"tidepool/internal/conversation"
	"tidepool/internal/conversation/quote"
)

// A Reader reads the turns of a session in order.
type Reader interface {
	Conversation(ctx context.Context, session string, offset, limit int) (conversation.Summary, []conversation.Turn, error)
}

// Export writes a session as a page of Markdown. It reads a few turns at a time.
func Export(ctx context.Context, from Reader, session string, to io.Writer) error {
	const page = 20 // turns
	m := &quote.Markdown{Out: to}
	for next := 0; ; next += page {
		summary, turns, err := from.Conversation(ctx, session, next, page)
		if err != nil {
			return err
		}
		if next == 0 {
			if err := m.Head(summary); err != nil {
				return err
			}
		}
		for _, t := range turns {
			if err := m.Turn(t); err != nil {
				return err
			}
		}
		if len(turns) < page {
			return nil
		}
	}
}

// ExportFile writes a session to a file that only its user can read. With force it replaces what is there, be it a file or a
// link; otherwise the error is an *ExistsError. After an error there is no new file.
func ExportFile(ctx context.Context, from Reader, session, path string, force bool) (err error) {
	f, err := create(path, force)
	if errors.Is(err, fs.ErrExist) {
		return &ExistsError{path}
	}
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	err = errors.Join(Export(ctx, from, session, out), out.Flush(), f.Close())
	if err == nil && force {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// create opens a new file: the one at path, or with force one beside it.
func create(path string, force bool) (*os.File, error) {
	if force {
		return os.CreateTemp(filepath.Dir(path), ".conversation-*.md") // with mode 0600
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// ExportName returns the name of the file that a session is exported to if nobody names one.
func ExportName(session string) string {
	return fmt.Sprintf("conversation-%s.md", fileName(quote.ID(session)))
}

// fileName returns a foreign text as a part of a file's name.
func fileName(text string) string {
	safe := []rune(text)
	for i, r := range safe {
		if !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' || r == '_') {
			safe[i] = '_'
		}
	}
	return string(safe)
}

// An ExistsError means that a file is already there.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string { return e.Path + " is already there" }

// Hint says what to do.
func (*ExistsError) Hint() string { return "name another file with -o, or replace it with --force" }
