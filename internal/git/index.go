package git

import (
	"context"
	"path/filepath"
	"time"
)

// An Index tells what git does with files, each in at most Limit.
type Index struct{ Limit time.Duration }

// Tracked is the function of that name, also for a file whose directory is missing: git shows no change of that.
func (i Index) Tracked(path string) (bool, error) {
	if !isDir(filepath.Dir(path)) {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), i.Limit)
	defer cancel()
	return Tracked(ctx, path)
}

// Ignored is the function of that name.
func (i Index) Ignored(path string) (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), i.Limit)
	defer cancel()
	return Ignored(ctx, path)
}
