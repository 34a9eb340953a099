package config

import (
	"strings"
	"testing"
)

// A database is named by a host or by a socket's directory; no error and no status has a password that somebody wrote into its address.
func TestTeamsDatabase(t *testing.T) {
	for address, ok := range map[string]bool{
		"":                                     true,
		"postgres://maria@db.example/tidepool": true,
		"postgresql:///tidepool?host=/run/postgresql":        true,
		"postgres:///tidepool":                               false,
		"postgres://db.example/":                             false,
		"https://db.example/tidepool":                        false,
		"postgres://db.example/tidepool?password=hunter2":    false,
		"postgres://db.example/tidepool?sslpassword=hunter2": false,
		"mysql://maria:hunter2@db.example/tidepool":          false,
	} {
		c, err := Load(Sources{Project: t.TempDir(), Flags: map[string]string{"recall.team": address}})
		if (err == nil) != ok || err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", address, err)
		}
		if err == nil && c.Recall.Team != address {
			t.Errorf("%q: %q", address, c.Recall.Team)
		}
	}
}
