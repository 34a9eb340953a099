package serve

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"

	"tidepool/internal/config"
	"tidepool/internal/fingerprint"
	"tidepool/internal/redact"
	"tidepool/internal/scrub"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// secrets keep those of the user out of what a model reads. The scrubber and its key are made at the first use; a failure is tried
// again at the next one.
type secrets struct {
	place  protocol.Place
	allow  []string            // values that are none
	native *redact.Contributor // of the agent's own tools, and of the commands that agent shell runs

	mu       sync.Mutex
	sessions *scrub.Sessions // nil: not made yet
}

func newSecrets(place protocol.Place, settings config.Scrub, log *slog.Logger) (*secrets, error) {
	mode, err := redact.ParseMode(settings.Native)
	if err != nil {
		return nil, err
	}
	s := &secrets{place: place, allow: settings.Allow}
	s.native = redact.New(redact.Options{
		Of:    func(session string) (redact.Scrubber, error) { return s.of(session) },
		Learn: s.learn,
		Mode:  mode,
		Log:   log,
	})
	return s, nil
}

// of returns what replaces the secrets of a session's texts.
func (s *secrets) of(session string) (*scrub.Registry, error) {
	sessions, err := s.open()
	if err != nil {
		return nil, err
	}
	return sessions.Of(session), nil
}

func (s *secrets) open() (*scrub.Sessions, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sessions != nil {
		return s.sessions, nil
	}
	key, err := s.key()
	if err != nil {
		return nil, err
	}
	scrubber, err := scrub.New(scrub.Options{Allow: s.allow})
	if err != nil {
		return nil, err
	}
	s.sessions = scrubber.Sessions(key)
	return s.sessions, nil
}

// key returns the key of the project's fingerprints, with which the agent makes them.
func (s *secrets) key() (key fingerprint.Key, err error) {
	dir, err := state.Open(state.Of(s.place.Project))
	if err != nil {
		return key, err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	return fingerprint.KeyIn(dir)
}

// learn adds the fingerprints that an agent has sent.
func (s *secrets) learn(session string, fingerprints json.RawMessage) error {
	var prints []fingerprint.Print
	if err := json.Unmarshal(fingerprints, &prints); err != nil {
		return err
	}
	registry, err := s.of(session)
	if err != nil {
		return err
	}
	registry.Learn(prints...)
	return nil
}

// end forgets the numbers of a session's secrets.
func (s *secrets) end(session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sessions != nil {
		s.sessions.End(session)
	}
}

// close waits for searches that are late.
func (s *secrets) close(signals Signals) {
	ctx, cancel := context.WithTimeout(signals.Hurry, hurriedTimeout)
	defer cancel()
	s.native.Close(ctx)
}

// state returns what has been replaced, for the status.
func (s *secrets) state() *protocol.SecretsState {
	n := s.native.Counts()
	return &protocol.SecretsState{
		Native: s.native.Mode().String(), Replaced: n.Replaced, Withheld: n.Withheld, Unknown: n.Unknown, Shown: n.Shown, Refused: n.Refused,
		Unlearned: n.Unlearned,
	}
}
