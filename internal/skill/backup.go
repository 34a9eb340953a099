package skill

import (
	"path/filepath"
	"time"

	"tidepool/internal/state"
)

// maxBackups bounds how many files are kept as they were before a change.
const maxBackups = 50

// Backup keeps a text in the state directory of a project, and returns its path below the project. The oldest backups go.
func Backup(project, name, text string) (path string, err error) {
	dir, err := state.Make(state.Of(project))
	if err != nil {
		return "", err
	}
	defer dir.Close()
	backups := dir.Sub("backup").Sub("skills")
	kept, err := backups.List()
	if err != nil {
		return "", err
	}
	for _, oldest := range kept[:max(0, len(kept)-maxBackups+1)] {
		if err := backups.File(oldest.Name()).Remove(); err != nil {
			return "", err
		}
	}
	file := backups.File(time.Now().UTC().Format("20060102T150405.000000000") + "-" + filepath.Base(name))
	if err := file.Replace([]byte(text)); err != nil {
		return "", err
	}
	return filepath.Rel(project, file.Path())
}
