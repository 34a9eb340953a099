package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/git"
	"tidepool/internal/logging"
	"tidepool/internal/setup"
	"tidepool/protocol"
)

// SetupOptions describes a project and its user.
func SetupOptions(ctx context.Context, place protocol.Place) (setup.Options, error) {
	path := os.Getenv("PATH")
	agent, err := agentPath(path)
	if err != nil {
		return setup.Options{}, err
	}
	repository, err := repositoryAt(ctx, place.Project)
	return setup.Options{
		Project: place.Project, Agent: agent, Home: os.Getenv("HOME"), ClaudeConfigDir: os.Getenv("CLAUDE_CONFIG_DIR"), Path: path,
		Getenv:     os.Getenv,
		Repository: repository, RepositoryError: err,
	}, nil
}

// gitLimit is how long git may take to say what it shows of a file.
const gitLimit = 10 * time.Second

// repositoryAt returns the repository around a project, nil if there is none.
func repositoryAt(ctx context.Context, project string) (*setup.Repository, error) {
	ctx, cancel := context.WithTimeout(ctx, gitLimit)
	defer cancel()
	top, list, err := git.Exclude(ctx, project)
	switch {
	case errors.Is(err, git.ErrNoRepository):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &setup.Repository{Top: top, Exclude: list, Index: git.Index{Limit: gitLimit}}, nil
}

// agentPath returns where the agent that was installed with this program is. Where PATH leads to the same file that path is
// taken: a link there outlives the version that it points to.
func agentPath(path string) (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("finding this program: %w", err)
	}
	beside := filepath.Join(filepath.Dir(self), "agent")
	meant, err := os.Stat(beside)
	if err != nil {
		return beside, nil // who needs it says that it is missing
	}
	for _, dir := range filepath.SplitList(path) {
		found := filepath.Join(dir, "agent")
		if info, err := os.Stat(found); err == nil && filepath.IsAbs(dir) && os.SameFile(info, meant) {
			return found, nil
		}
	}
	return beside, nil
}

// Agreed asks a person. Only a clear yes is one.
func Agreed(std Stdio, question string) bool {
	fmt.Fprint(std.Err, logging.Escape(question)+" [y/N] ")
	answer, err := bufio.NewReader(std.In).ReadString('\n')
	if err != nil && answer == "" {
		fmt.Fprintln(std.Err)
		return false
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true
	}
	return false
}
