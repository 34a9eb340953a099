// Package secret makes fingerprints of the values that a session's user keeps secret, for the daemon, which searches texts for them.
// The values are those of the environment and of files like .env; they do not leave this process.
package secret

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"tidepool/internal/credential"
	"tidepool/internal/fingerprint"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// maxPrints bounds the fingerprints of one message. A value has about ten, of 130 bytes each in JSON.
const maxPrints = 4096

// maxSettings is the largest settings file that is read, in bytes. The daemon reports what is wrong with a larger one.
const maxSettings = 1 << 20

// A Source says where a session's secrets are.
type Source struct {
	Place   protocol.Place
	Dir     string   // the session's directory, absolute; it may be another checkout of the project
	Environ []string // NAME=value
	Getenv  func(string) string
}

// Fingerprints returns a JSON array for [protocol.HookEvent], nil if the user has no secrets. The error says what was left out, and
// names no value; there may be fingerprints of the rest.
func (s Source) Fingerprints() (json.RawMessage, error) {
	found, err := s.find()
	if len(found) == 0 {
		return nil, err
	}
	dir, opened := state.Open(state.Of(s.Place.Project))
	if errors.Is(opened, fs.ErrNotExist) {
		return nil, err // a named socket needs no state directory, and then there is no key
	}
	if opened != nil {
		return nil, errors.Join(err, opened)
	}
	defer dir.Close()
	key, opened := fingerprint.KeyIn(dir)
	if opened != nil {
		return nil, errors.Join(err, opened)
	}
	var prints []fingerprint.Print
	for i, c := range found {
		prints = append(prints, fingerprint.Of(key, c.Name, c.Value)...)
		if len(prints) >= maxPrints {
			prints = prints[:maxPrints]
			err = errors.Join(err, fmt.Errorf("there are too many secrets: %d of them are not known to the daemon", len(found)-i))
			break
		}
	}
	if prints == nil {
		return nil, err
	}
	raw, failed := json.Marshal(prints)
	return raw, errors.Join(err, failed)
}

// find returns the secrets of the project, and of the checkout that the session is in.
func (s Source) find() ([]credential.Credential, error) {
	source := credential.Source{Environ: s.Environ, Project: s.Place.Project, Home: s.Getenv("HOME"), Names: s.names()}
	found, unread := source.Find()
	if s.Dir != "" && s.Dir != s.Place.Project {
		more, alsoUnread := credential.Source{Project: s.Dir, Names: source.Names}.Find()
		found, unread = append(found, more...), append(unread, alsoUnread...)
	}
	return found, errors.Join(unread...)
}

// names returns the setting scrub.values: more variables and files that hold secrets.
func (s Source) names() []string {
	var text []byte
	_ = state.Within(filepath.Join(state.Of(s.Place.Project), "config.json"), func(f *state.File) (err error) {
		text, err = f.Read(maxSettings)
		return err
	}) // the daemon reports what is wrong with it
	var settings struct {
		Scrub struct {
			Values []string `json:"values"`
		} `json:"scrub"`
	}
	_ = json.Unmarshal(text, &settings)
	return settings.Scrub.Values
}
