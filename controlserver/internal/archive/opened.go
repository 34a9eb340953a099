package archive

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/conversation"
	"tidepool/internal/wording"
)

// Options says whose conversations are opened.
type Options struct {
	Project  string // the project's directory, resolved
	Settings config.Conversations
	Getenv   func(name string) string // reads the environment
	Slow     func(share float64)      // called every second while transcripts are read that an answer waits for; nil: not called
}

// Opened are the archives that a command has opened. The caller closes it.
// Goroutines: after Follow one that reads what is added; Close ends it and waits for it.
type Opened struct {
	Source
	own    *conversation.Archive // the project's
	keeper *conversation.Keeper  // nil: nothing new is read
	all    []*conversation.Archive

	ctx    context.Context // ends with Close
	end    context.CancelFunc
	reads  sync.WaitGroup
	failed error // of what follows; read it after reads
}

// Open opens the archive of a project and reads what is new, unless another process does so.
func Open(ctx context.Context, o Options) (*Opened, error) {
	opened, err := open(o)
	if err != nil {
		return nil, err
	}
	if err := opened.catchUp(ctx, o.Slow); err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return opened, nil
}

// OpenToFollow opens the archive of a project, and reads what is new beside the answers, which say how far that is.
func OpenToFollow(o Options) (*Opened, error) {
	opened, err := open(o)
	if err != nil || opened.keeper == nil {
		return opened, err
	}
	opened.reads.Go(func() { opened.failed = opened.keeper.Run(opened.ctx) })
	return opened, nil
}

// Hint tells that a transcript of the project has grown, or will. It never waits.
func (o *Opened) Hint(path string) {
	if o.keeper != nil {
		o.keeper.Hint(path)
	}
}

// Status describes the project's own archive.
func (o *Opened) Status(ctx context.Context) (conversation.Status, error) { return o.own.Status(ctx) }

// OpenAll opens the archives of all projects. It reads what is new in the project's own; in those of the others it finds what
// their daemons have read. Only a person may see what it finds.
func OpenAll(ctx context.Context, o Options) (*Opened, error) {
	opened, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := opened.others(ctx, o); err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return opened, nil
}

// OpenAllToFollow is OpenToFollow and asks the archives of all other projects, too.
func OpenAllToFollow(ctx context.Context, o Options) (*Opened, error) {
	opened, err := OpenToFollow(o)
	if err != nil {
		return nil, err
	}
	if err := opened.others(ctx, o); err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return opened, nil
}

// open opens the project's archive. Nothing is read yet.
func open(o Options) (*Opened, error) {
	configured, err := Configure(o.Project, o.Settings, o.Getenv)
	if err != nil {
		return nil, err
	}
	own, err := conversation.New(configured)
	if err != nil {
		return nil, err
	}
	opened := &Opened{Source: own, own: own, all: []*conversation.Archive{own}}
	opened.ctx, opened.end = context.WithCancel(context.Background())
	if o.Settings.Enabled {
		opened.keeper = own.Keep()
	} else {
		opened.Source = &Many{Sources: []Source{own}, Missing: "conversations.enabled is false, so nothing new is read"}
	}
	return opened, nil
}

// others adds the archives of all other projects.
func (o *Opened) others(ctx context.Context, options Options) error {
	configured, err := Configure(options.Project, options.Settings, options.Getenv)
	if err != nil {
		return err
	}
	projects, unread, err := conversation.Projects(ctx, configured.Dir)
	if err != nil {
		return err
	}
	many := &Many{Sources: []Source{o.Source}}
	for _, project := range projects {
		if project == configured.Project {
			continue
		}
		other := configured
		other.Project, other.Checkouts = project, func() []string { return []string{project} }
		archive, err := conversation.New(other)
		if err != nil {
			return err
		}
		o.all = append(o.all, archive)
		many.Sources = append(many.Sources, archive)
	}
	if len(unread) > 0 {
		many.Missing = fmt.Sprintf("%s cannot be opened: %s", wording.Count(len(unread), "archive"), wording.Line(unread[0].Error(), 200))
	}
	o.Source = many
	return nil
}

// catchUp reads what is new, and says every second how far it is.
func (o *Opened) catchUp(ctx context.Context, slow func(share float64)) error {
	if o.keeper == nil {
		return nil
	}
	done := make(chan error, 1)
	go func() { done <- o.keeper.CatchUp(ctx) }()
	for {
		select {
		case err := <-done:
			return err
		case <-time.After(time.Second):
			if status, err := o.own.Status(ctx); err == nil && slow != nil && status.State.State == conversation.Indexing {
				slow(status.State.Share)
			}
		}
	}
}

// Forget removes a session for good from the archive that has it. It returns how many turns there were.
func (o *Opened) Forget(ctx context.Context, session string) (removed int, err error) {
	holder := o.own
	if len(o.all) > 1 {
		sources := make([]Source, len(o.all))
		for i, archive := range o.all {
			sources[i] = archive
		}
		found, err := (&Many{Sources: sources}).holder(ctx, session)
		if err != nil {
			return 0, err
		}
		for _, archive := range o.all {
			if found == Source(archive) {
				holder = archive
			}
		}
	}
	return holder.Forget(ctx, session)
}

// ForgetAll removes all sessions of the project for good.
func (o *Opened) ForgetAll(ctx context.Context) (removed int, err error) { return o.own.ForgetAll(ctx) }

// Exclude stops the reading of those of the project's sessions that ran in a directory which the pattern matches.
func (o *Opened) Exclude(ctx context.Context, pattern string) error {
	return o.own.Exclude(ctx, pattern)
}

// Close ends what is being read and closes the archives.
func (o *Opened) Close() error {
	o.end()
	o.reads.Wait()
	errs := []error{o.failed}
	for _, archive := range o.all {
		errs = append(errs, archive.Close())
	}
	return errors.Join(errs...)
}
