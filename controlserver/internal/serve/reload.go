package serve

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/internal/activity"
	"tidepool/internal/config"
	"tidepool/internal/hook"
	"tidepool/internal/state"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// lookEvery is the shortest interval in which hooks check whether the settings have changed.
const lookEvery = time.Second

// A reloader applies changed settings while the daemon runs. Before a hook is answered it checks whether the file has
// changed, at most once a second, and on SIGHUP at any time. A file that cannot be used changes nothing, and settings that count
// only from the start of a daemon wait for the next one; the status shows both. Goroutines: the one of follow.
type reloader struct {
	path  string
	live  live
	taken func(*config.Config) // called with settings that count now, under mu; nil: not called
	log   *slog.Logger
	began time.Time
	next  atomic.Int64 // nanoseconds after began: no look before

	mu      sync.Mutex
	start   *config.Config // of this process
	latest  *config.Config // that was taken; those that are not live count only at the next start
	file    fs.FileInfo    // as it was read; nil: there was none
	missing bool           // at the latest look; an editor may be about to put a new one in its place
	state   protocol.SettingsState

	untrusted []string // keys that do not count because the project is not trusted

	note func(level, logger, text string) // sends a message to clients; nil: nobody wants one
}

func newReloader(path string, settings *config.Config, live live, log *slog.Logger) *reloader {
	r := &reloader{path: path, live: live, log: log, began: time.Now(), start: settings, latest: settings}
	r.file, _ = lookAt(path) // a change between the loading and this is of milliseconds, and seldom
	r.state = protocol.SettingsState{LoadedAt: timestamp(r.began), Refused: refusals(settings)}
	r.untrusted = untrustedKeys(settings)
	return r
}

// Events returns all events.
func (*reloader) Events() []protocol.Event { return nil }

// Hook applies changed settings before the contributors after it are asked. It contributes nothing itself.
func (r *reloader) Hook(context.Context, *hook.Event) hook.Answer {
	now := int64(time.Since(r.began))
	if next := r.next.Load(); now >= next && r.next.CompareAndSwap(next, now+int64(lookEvery)) {
		r.look()
	}
	return hook.Answer{}
}

// look loads the settings if their file has changed. A missing file counts only if it is still missing at the next check.
func (r *reloader) look() {
	r.mu.Lock()
	defer r.mu.Unlock()
	file, err := lookAt(r.path)
	if err != nil {
		file = nil
	}
	wasMissing := r.missing
	r.missing = file == nil
	switch {
	case same(r.file, file):
	case file == nil && !wasMissing:
	default:
		r.load(file)
	}
}

// lookAt describes the entry at the path of the settings' file.
func lookAt(path string) (info fs.FileInfo, err error) {
	err = state.Within(path, func(f *state.File) error {
		info, err = f.Stat()
		return err
	})
	return info, err
}

func same(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// Reload loads the settings, changed or not.
func (r *reloader) Reload() {
	r.mu.Lock()
	defer r.mu.Unlock()
	file, err := lookAt(r.path)
	if err != nil {
		file = nil
	}
	r.load(file)
}

// load reads the settings. file describes the file before that. Callers hold mu.
func (r *reloader) load(file fs.FileInfo) {
	r.file = file
	settings, err := r.start.Again()
	if err == nil {
		err = r.live.take(settings)
	}
	if err != nil {
		r.state.Ignored = Lines(err)
		r.log.Warn("settings are not taken; the ones before stay", "err", strings.Join(r.state.Ignored, "; "))
		r.sendMessages()
		return
	}
	r.latest = settings
	if r.taken != nil {
		r.taken(settings)
	}
	r.state = protocol.SettingsState{LoadedAt: timestamp(time.Now()), Restart: slices.DeleteFunc(r.start.Changed(settings), IsLive)}
	r.log.Info("settings taken", "rules", len(settings.Policy), "pre_tool_use", settings.PreToolUse, "after a restart", r.state.Restart)
	r.state.Refused = refusals(settings)
	r.untrusted = untrustedKeys(settings)
	r.sendMessages()
}

// sendMessages sends what is wrong with the settings to the clients. Callers hold mu.
func (r *reloader) sendMessages() {
	if r.note == nil {
		return
	}
	for _, m := range settingsMessages(&r.state) {
		r.note(m.Level, m.Logger, m.Text)
	}
}

// settingsMessages returns what is wrong with the settings, for clients.
func settingsMessages(s *protocol.SettingsState) (all []protocol.LogMessage) {
	for _, why := range s.Ignored {
		all = append(all, activity.Message("warning", "settings", "newer settings are ignored: "+why))
	}
	for _, why := range s.Refused {
		all = append(all, activity.Message("warning", "settings", why))
	}
	return all
}

// Untrusted returns the keys of the settings that do not count because the project is not trusted.
func (r *reloader) Untrusted() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.untrusted
}

// State returns which settings are in force.
func (r *reloader) State() *protocol.SettingsState {
	r.mu.Lock()
	defer r.mu.Unlock()
	state := r.state
	return &state
}

// Settings returns the effective value of each setting.
func (r *reloader) Settings() []protocol.SettingState {
	r.mu.Lock()
	defer r.mu.Unlock()
	started, latest := r.start.Settings(), r.latest.Settings()
	all := make([]protocol.SettingState, len(started))
	for i, s := range started {
		if IsLive(s.Key) {
			s = latest[i]
		}
		all[i] = protocol.SettingState(s)
	}
	return all
}

// follow starts a goroutine that reloads at each request, and when the record of trust has changed, which it checks once a second;
// then it also calls retrust. The function that it returns ends the goroutine and waits for it.
func (r *reloader) follow(requests <-chan struct{}, trustee trustState, retrust func()) (stop func()) {
	quit := make(chan struct{})
	before := trustee.first
	var ended sync.WaitGroup
	ended.Go(func() {
		looking := time.NewTicker(lookEvery)
		defer looking.Stop()
		for {
			select {
			case <-requests:
				r.Reload()
			case <-looking.C:
				if now := trustee.stamp(); !same(before, now) {
					before = now
					r.Reload()
					retrust()
				}
			case <-quit:
				return
			}
		}
	})
	return func() {
		close(quit)
		ended.Wait()
	}
}

// refusals returns the settings that do not count, for the status.
func refusals(settings *config.Config) []string {
	var all []string
	for _, refused := range settings.Refused {
		all = append(all, Lines(refused)...)
	}
	return all
}

// Lines returns what each of the errors that err joins says, with its hint.
func Lines(err error) []string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []string
		for _, e := range joined.Unwrap() {
			all = append(all, Lines(e)...)
		}
		return all
	}
	if hint := wording.HintOf(err); hint != "" {
		return []string{fmt.Sprintf("%v (%s)", err, hint)}
	}
	return []string{err.Error()}
}

func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
