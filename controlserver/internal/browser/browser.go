package browser

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidepool/internal/conversation"
)

// An Archive finds and reads conversations.
type Archive interface {
	Search(ctx context.Context, q conversation.Query) (conversation.Found, error)
	List(ctx context.Context, q conversation.ListQuery) (found []conversation.Summary, total int, state conversation.Completeness, err error)
	Conversation(ctx context.Context, session string, offset, limit int) (conversation.Summary, []conversation.Turn, error)
}

// A Scope is whose conversations are searched.
type Scope struct {
	Name string // such as "this project"
	// Open returns the archive. It is called when the scope is first chosen, and again after an error; who gives it closes
	// the archive.
	Open func(ctx context.Context) (Archive, error)
}

// Options configures Run.
type Options struct {
	Scopes []Scope // at least one; the first is shown first
	Home   string  // the user's directory, written as ~; "": none

	// Export writes a conversation to a file and returns its path.
	Export func(ctx context.Context, from Archive, session string) (path string, err error)
	// Forget removes a conversation for good; nil: nobody may.
	Forget func(ctx context.Context, from Archive, session string) error

	In      io.Reader // the terminal; nil: standard input
	Out     io.Writer // the terminal; nil: standard output
	Environ []string  // as KEY=value; nil: the process's
}

// framesPerSecond bounds how often the screen is drawn: what a key has found waits for the next frame, 17 ms at most.
const framesPerSecond = 60

// Run shows the browser until the user leaves it or ctx ends. The result is the session that the user wants to resume; the
// zero Summary is none.
func Run(ctx context.Context, o Options) (conversation.Summary, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the searches that nobody waits for any more
	settings := []tea.ProgramOption{tea.WithContext(ctx), tea.WithFPS(framesPerSecond)}
	if o.In != nil {
		settings = append(settings, tea.WithInput(o.In))
	}
	if o.Out != nil {
		settings = append(settings, tea.WithOutput(o.Out))
	}
	if o.Environ != nil {
		settings = append(settings, tea.WithEnvironment(o.Environ))
	}
	m := newModel(ctx, o, time.Now)
	_, err := tea.NewProgram(m, settings...).Run()
	if ctx.Err() != nil && err != nil {
		return conversation.Summary{}, nil // it was told to end
	}
	return m.chosen, err
}
