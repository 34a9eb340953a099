package serve

import (
	"context"
	"reflect"
	"time"

	"tidepool/controlserver/internal/questions"
	"tidepool/internal/activity"
	"tidepool/internal/ask"
	"tidepool/internal/hook"
	"tidepool/lsp"
	"tidepool/protocol"
)

// feedEvery is the interval in which a feed checks the language servers.
const feedEvery = time.Second

// A feed reports what happens to clients that watch. It starts no goroutine.
type feed struct {
	questionStore *ask.Store
	questions     *questions.Service // nil: nobody asks who watches
	log           *activity.Log
	languages     func() []protocol.LanguageServer // from memory
}

// Follow reports the present state, then each change, until ctx ends.
func (f *feed) Follow(ctx context.Context, tell func(*protocol.Happening)) {
	if f.questions != nil {
		defer f.questions.Watch(ctx)()
	}
	looking := time.NewTicker(feedEvery)
	defer looking.Stop()
	var told []protocol.LanguageServer
	var asked <-chan struct{}
	count := 0
	for first := true; ; first = false {
		h := &protocol.Happening{}
		if first || isClosed(asked) {
			h.Questions, asked = f.questionStore.List()
		}
		var done <-chan struct{}
		h.Activity, count, done = f.log.Since(count)
		if now := f.languages(); first || changed(told, now) {
			h.Languages, told = now, now
		}
		tell(h)
		if !f.wait(ctx, asked, done, looking.C, &told) {
			return
		}
	}
}

// messages are what attached clients are sent.
type messages struct {
	log      *activity.Messages
	settings func() *protocol.SettingsState
}

// Follow reports what is wrong with the settings, then each message, until ctx ends.
func (m *messages) Follow(ctx context.Context, tell func(*protocol.LogMessage)) {
	m.log.Follow(ctx, func() {
		for _, standing := range settingsMessages(m.settings()) {
			tell(&standing)
		}
	}, tell)
}

// noteServers sends what becomes of language servers as messages.
func noteServers(log *activity.Messages) func(lsp.Event) {
	return func(e lsp.Event) {
		level := "notice"
		switch {
		case e.GaveUp:
			level = "error"
		case e.Ended:
			level = "warning"
		}
		log.Note(level, "language server", e.Language+": "+e.What)
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// wait waits for a change. It returns false when ctx has ended.
func (f *feed) wait(ctx context.Context, asked, done <-chan struct{}, looking <-chan time.Time, told *[]protocol.LanguageServer) bool {
	for {
		select {
		case <-asked:
			return true
		case <-done:
			return true
		case <-ctx.Done():
			return false
		case <-looking:
			if changed(*told, f.languages()) {
				return true
			}
		}
	}
}

// changed reports whether a row differs in more than memory, which always does.
func changed(before, now []protocol.LanguageServer) bool {
	if len(before) != len(now) {
		return true
	}
	for i, server := range now {
		server.MemoryBytes = before[i].MemoryBytes
		if !reflect.DeepEqual(before[i], server) {
			return true
		}
	}
	return false
}

// noteHook adds a hook to the activity log.
func noteHook(log *activity.Log) func(hook.Outcome) {
	return func(o hook.Outcome) {
		a := protocol.Activity{
			At: o.Time.Add(o.Took), Kind: "hook", Name: string(o.Event), Detail: o.Tool, Session: o.Session,
			TookMS: float64(o.Took.Microseconds()) / 1000,
		}
		if o.Decision != "pass" {
			a.Detail += " " + o.Decision
		}
		log.Note(a)
	}
}
