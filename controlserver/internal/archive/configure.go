package archive

import (
	"path/filepath"
	"slices"
	"sync"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/conversation"
	"tidepool/internal/trust"
)

// Configure returns the options of the archive of a project's directory, which is resolved. getenv reads the environment.
func Configure(project string, settings config.Conversations, getenv func(string) string) (conversation.Options, error) {
	dir, err := storeDir(getenv)
	if err != nil {
		return conversation.Options{}, err
	}
	of, err := trust.CheckoutsOf(project)
	if err != nil {
		return conversation.Options{}, err
	}
	if keepsNothing(project, getenv) {
		settings.Keep = 0
	}
	checkouts := &checkouts{project: project, dirs: of.Dirs, read: time.Now()}
	return conversation.Options{
		Dir: dir, Project: of.ID, Checkouts: checkouts.now, Home: getenv("HOME"), Getenv: getenv, Keep: settings.Keep, Exclude: settings.Exclude,
	}, nil
}

// storeDir returns the directory of the stores of all projects.
func storeDir(getenv func(string) string) (string, error) {
	user := trust.Open(getenv)
	if user.Dir == "" {
		return "", errNoPlace{}
	}
	return filepath.Join(user.Dir, "conversations"), nil
}

// An errNoPlace means that there is no directory for the stores.
type errNoPlace struct{}

func (errNoPlace) Error() string {
	return "there is no place to keep conversations: neither XDG_STATE_HOME nor HOME is an absolute path"
}

// Hint says what to do.
func (errNoPlace) Hint() string { return "set HOME" }

// checkouts are the directories of a project. They are read again when they have been known for a while: worktrees come and go.
type checkouts struct {
	project string
	mu      sync.Mutex
	dirs    []string
	read    time.Time
}

// fresh is how long they are known.
const fresh = 2 * time.Second

// now returns the directories. What was known stays if it cannot be read.
func (c *checkouts) now() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.read) > fresh {
		if of, err := trust.CheckoutsOf(c.project); err == nil {
			c.dirs = of.Dirs
		}
		c.read = time.Now()
	}
	return slices.Clone(c.dirs)
}
