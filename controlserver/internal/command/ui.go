package command

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"tidepool/controlserver/internal/serve"
	"tidepool/controlserver/internal/ui"
	"tidepool/internal/logging"
	"tidepool/protocol"
)

// UI shows questions, activity and what was told at prompts, in a terminal.
type UI struct{}

// Run shows the questions that wait for the user, what the daemon does, and what was told at prompts, until the user leaves.
func (c *UI) Run(ctx context.Context, place protocol.Place, std Stdio) error {
	terminal, is := std.Out.(*os.File)
	if !is || !logging.IsTerminal(terminal) {
		return &commandError{"ui needs a terminal", "run it in a pane of its own; agent questions and agent answer work anywhere"}
	}
	settings, err := serve.LoadConfig(place, nil)
	if err != nil {
		return err
	}
	Warn(std, settings)
	home, _ := os.UserHomeDir() // without one, the project's path is written whole
	told := toldPage{place: place, settings: settings.Recall}
	err = ui.Run(ctx, ui.Options{
		Project:  place.Project,
		Home:     home,
		Memories: told.page(),
		Dial:     func() (io.ReadWriteCloser, error) { return dialDaemon(place) },
		Answer: func(r *protocol.AnswerRequest) (protocol.QuestionRecord, error) {
			response, err := askQuestions[*protocol.AnswerResponse](place, r)
			if err != nil {
				return protocol.QuestionRecord{}, err
			}
			return response.Question, nil
		},
	})
	return errors.Join(err, told.close(context.WithoutCancel(ctx)))
}

// dialDaemon connects to the daemon for as long as it lives.
func dialDaemon(place protocol.Place) (io.ReadWriteCloser, error) {
	conn, err := dial(place.Socket, time.Time{})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return nil, notRunning(place)
	}
	if err != nil {
		return nil, err
	}
	return conn, nil
}
