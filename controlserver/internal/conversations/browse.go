package conversations

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"tidepool/controlserver/internal/archive"
	"tidepool/controlserver/internal/browser"
	"tidepool/controlserver/internal/command"
	"tidepool/internal/conversation"
	"tidepool/internal/logging"
	"tidepool/protocol"
	"tidepool/tools"
	conversationtools "tidepool/tools/conversation"
)

type browseCommand struct {
	List  bool   `help:"List the conversations, in a terminal, too."`
	Query string `help:"List only those whose title or first prompt contains this." placeholder:"TEXT"`
	Since string `help:"List only those with a turn since then: 2w, yesterday, 2025-11-03." placeholder:"WHEN"`
	All   bool   `help:"The conversations of all projects. Only a person may."`
	Limit int    `short:"n" help:"How many to list." default:"50"`
	JSON  bool   `help:"List them as one JSON object."`
}

// Run shows the browser, or prints the list.
func (c *browseCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	terminal, is := std.Out.(*os.File)
	if is && logging.IsTerminal(terminal) && logging.IsTerminal(std.In) && !c.List && !c.JSON && c.Query == "" && c.Since == "" {
		return c.browse(ctx, place, std)
	}
	opened, err := openArchive(ctx, place, std, c.All)
	if err != nil {
		return err
	}
	defer opened.Close()
	found, err := asking(opened).ListConversations(ctx, tools.Call{}, conversationtools.ListConversationsInput{
		Limit: max(1, min(c.Limit, 1000)), Since: c.Since, Query: c.Query,
	})
	if err != nil {
		return err
	}
	return printAnswer(std, found, c.JSON)
}

// browse shows the browser, then resumes the conversation that was chosen there.
func (c *browseCommand) browse(ctx context.Context, place protocol.Place, std command.Stdio) error {
	chosen, err := browse(ctx, place, std, c.All)
	if err != nil || chosen.Session == "" {
		return err
	}
	return archive.Resume(chosen)
}

func browse(ctx context.Context, place protocol.Place, std command.Stdio, all bool) (chosen conversation.Summary, err error) {
	var opened archives
	defer func() { err = errors.Join(err, opened.Close()) }()
	scopes := []browser.Scope{
		{Name: "this project", Open: func(ctx context.Context) (browser.Archive, error) { return opened.open(ctx, place, std, false) }},
		{Name: "all projects", Open: func(ctx context.Context) (browser.Archive, error) { return opened.open(ctx, place, std, true) }},
	}
	if all {
		scopes[0], scopes[1] = scopes[1], scopes[0]
	}
	options := browser.Options{Scopes: scopes, Export: exportHere}
	options.Home, _ = os.UserHomeDir()
	if command.RequirePerson() == nil {
		options.Forget = forgetIn
	}
	return browser.Run(ctx, options)
}

// archives are those that a browser has opened.
type archives struct {
	mu  sync.Mutex
	all []*archive.Opened
}

// open opens the archive of the project, which goes on reading what is new, or those of all projects.
func (a *archives) open(ctx context.Context, place protocol.Place, std command.Stdio, all bool) (browser.Archive, error) {
	opened, err := openForBrowser(ctx, place, std, all)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, opened)
	return opened, nil
}

func openForBrowser(ctx context.Context, place protocol.Place, std command.Stdio, all bool) (*archive.Opened, error) {
	if all {
		return openArchive(ctx, place, std, true)
	}
	options, err := archiveOptions(place, std)
	if err != nil {
		return nil, err
	}
	return archive.OpenToFollow(options)
}

// Close closes them.
func (a *archives) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var errs []error
	for _, opened := range a.all {
		errs = append(errs, opened.Close())
	}
	return errors.Join(errs...)
}

// exportHere writes a conversation to a new file in the working directory.
func exportHere(ctx context.Context, from browser.Archive, session string) (string, error) {
	path, err := filepath.Abs(archive.ExportName(session))
	if err != nil {
		return "", err
	}
	err = archive.ExportFile(ctx, from, session, path, false)
	if _, exists := errors.AsType[*archive.ExistsError](err); exists {
		err = &refusal{err.Error(), "move it away and press e again"}
	}
	return path, err
}

// forgetIn removes a conversation from the archive that has it.
func forgetIn(ctx context.Context, from browser.Archive, session string) error {
	opened, is := from.(*archive.Opened)
	if !is {
		return fmt.Errorf("%T forgets nothing", from)
	}
	_, err := opened.Forget(ctx, session)
	return err
}
