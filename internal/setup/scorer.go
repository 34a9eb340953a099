package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"path/filepath"

	"tidepool/internal/setup/jsonedit"
)

// A Scorer is what a person has answered about the model that scout and teach-graph may use: the settings scout.scorer and
// scout.endpoint.
type Scorer struct{ Name, Endpoint string }

// configSite is the project's own settings.
func (o Options) configSite() site {
	return site{path: filepath.Join(o.stateDir(), "config.json"), backup: filepath.Join(o.stateDir(), "backup", "config.json"), ours: o.stateDir(), mode: 0o600}
}

// addConfig plans a config.json unless there is one, and the answer in it.
func (p *Plan) addConfig(o Options) error {
	s := o.configSite()
	f, err := lookOwn(s.path)
	if err != nil || !f.exists() && o.Config == nil {
		return nil // what is wrong with it shows when the state directory is checked
	}
	before := f.data
	if !f.exists() {
		before = o.Config
	}
	after := before
	if o.Scorer != nil {
		if after, err = o.Scorer.put(before); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		old, err := s.original()
		if err != nil {
			return err
		}
		p.backups = append(p.backups, Change{old.path, old.data, before, old.info, s.mode})
	}
	if f.exists() && bytes.Equal(f.data, after) {
		return nil
	}
	return p.change(f, after, s.mode)
}

// takeOutScorer plans to take the answer out of config.json again. What a person has set there since stays.
func (p *Plan) takeOutScorer(o Options) error {
	s := o.configSite()
	original, err := s.original()
	if err != nil || !original.exists() {
		return err
	}
	f, err := lookOwn(s.path)
	if err != nil {
		return err
	}
	p.backups = append(p.backups, Change{Path: original.path, Before: original.data, info: original.info})
	now, is := answerIn(f.data)
	if !f.exists() || !is {
		return nil
	}
	after := original.data
	if again, err := now.put(original.data); err != nil || !bytes.Equal(again, f.data) {
		if after, err = (Scorer{}).put(f.data); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
	}
	return p.change(f, after, s.mode)
}

// put returns the text of a config.json with the answer.
func (s Scorer) put(text []byte) (_ []byte, err error) {
	for _, set := range []struct{ key, value string }{{"scorer", s.Name}, {"endpoint", s.Endpoint}} {
		if text, err = jsonedit.Insert(text, pointerOf(text, set.key), set.value); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// pointerOf returns where a setting of scout stands: in its section, or by its dotted name.
func pointerOf(text []byte, key string) string {
	if found, err := jsonedit.Find(text, "/scout."+key); err == nil && found != nil {
		return "/scout." + key
	}
	return "/scout/" + key
}

// answerIn returns the answer that a config.json holds, and whether it is one that Init puts there: a model of this machine, or none.
func answerIn(text []byte) (s Scorer, is bool) {
	for key, value := range map[string]*string{"scorer": &s.Name, "endpoint": &s.Endpoint} {
		found, err := jsonedit.Find(text, pointerOf(text, key))
		if err != nil || json.Unmarshal(found, value) != nil {
			return s, false
		}
	}
	if s.Name == "heuristic" {
		return s, s.Endpoint == ""
	}
	endpoint, err := url.Parse(s.Endpoint)
	if err != nil || s.Name != "ollama" {
		return s, false
	}
	ip := net.ParseIP(endpoint.Hostname())
	return s, endpoint.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
