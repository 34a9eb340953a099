package recall

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/trust"
)

// ProjectOf returns the project that a directory belongs to: the repository with all its worktrees, or the directory itself if it lies in
// none. A submodule is a project of its own.
func ProjectOf(ctx context.Context, dir string) (memory.Project, error) {
	if err := ctx.Err(); err != nil {
		return memory.Project{}, err
	}
	at, err := trust.RepositoryOf(dir)
	if err != nil {
		return memory.Project{}, err
	}
	sum := sha256.Sum256([]byte(at))
	path := at
	if filepath.Base(at) == ".git" {
		path = filepath.Dir(at)
	}
	return memory.Project{Key: hex.EncodeToString(sum[:8]), Name: strings.TrimSuffix(filepath.Base(path), ".git"), Path: path}, nil
}

// directoryOf identifies the directory of a project: the common one of its repository, if it has one.
func directoryOf(path string) store.Directory {
	at, err := trust.RepositoryOf(path)
	if err != nil {
		return store.Directory{}
	}
	id, err := trust.Identify(at)
	if err != nil {
		return store.Directory{}
	}
	return store.Directory{Device: id.Device, Inode: id.Inode, Born: id.Born}
}

// toldKept is how long it is known what a session was told.
const toldKept = 30 * 24 * time.Hour

// settle stores the project, and removes what is old. One that is new here takes over the memories of the one that was in the same
// directory at a path where it is no more: it was moved. Only a birth time says that it is the same directory, because file systems use
// an inode again. A project whose path is known keeps what is stored for the path, even if it is another directory: it was cloned again.
func settle(ctx context.Context, db *store.DB, p memory.Project, now time.Time) error {
	at := directoryOf(p.Path)
	places, err := db.Projects(ctx)
	if err != nil {
		return err
	}
	from := ""
	for _, other := range places {
		if other.Key == p.Key {
			from = ""
			break
		}
		if at.Born != 0 && other.Inode == at.Inode && other.Born == at.Born && isGone(other.Path) {
			from = other.Key
		}
	}
	return db.Write(ctx, func(tx *store.Tx) error {
		if from != "" {
			if err := tx.MoveProject(from, p); err != nil {
				return err
			}
		}
		if err := tx.Tidy(now.Add(-toldKept)); err != nil {
			return err
		}
		return tx.PutProject(store.Place{Project: p, Directory: at}, now)
	})
}

func isGone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
