package conversation

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"tidepool/internal/conversation/store"
)

// Projects returns the projects that have a store in a directory, as Options have them, in order. Stores that cannot be opened are left
// out; unread says why, an error each. No directory is no project.
func Projects(ctx context.Context, dir string) (projects []string, unread []error, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != storeSuffix {
			continue
		}
		project, err := projectOf(ctx, filepath.Join(dir, entry.Name()))
		if err != nil {
			unread = append(unread, err)
			continue
		}
		projects = append(projects, project)
	}
	slices.Sort(projects)
	return projects, unread, nil
}

func projectOf(ctx context.Context, path string) (string, error) {
	s, err := store.OpenReadOnly(ctx, path)
	if err != nil {
		return "", err
	}
	project, err := s.Project(ctx)
	return project, errors.Join(err, s.Close())
}
