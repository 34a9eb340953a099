package audit

import (
	"fmt"
	"strings"

	"tidepool/internal/state"
)

// fullName returns the name of a full file, by the number of its last entry. Names sort as the entries do.
func fullName(n int64) string { return fmt.Sprintf("audit-%012d.jsonl", n) }

// fullFiles returns the names of the full files, the oldest first.
func fullFiles(dir *state.Dir) ([]string, error) {
	entries, err := dir.List()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries { // by name
		digits, is := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".jsonl"), "audit-")
		if is && len(e.Name()) == len(fullName(0)) && strings.Trim(digits, "0123456789") == "" {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// rotate renames the file, and removes the oldest full ones.
func (l *Log) rotate() error {
	if err := l.dir.File(name).Rename(fullName(l.n)); err != nil {
		return err
	}
	l.last = nil
	full, err := fullFiles(l.dir)
	if err != nil {
		return err
	}
	for len(full) > l.options.Keep {
		if err := l.dir.File(full[0]).Remove(); err != nil {
			return err
		}
		full = full[1:]
	}
	return nil
}
