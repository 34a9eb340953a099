package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDefaults(t *testing.T) {
	loaded := load(t, Sources{Project: t.TempDir()})
	if changed := Defaults().Changed(loaded); changed != nil {
		t.Errorf("without a file there are other values of %v", changed)
	}
	for _, s := range Defaults().Settings() {
		if s.Source != "default" {
			t.Errorf("%s is from %s", s.Key, s.Source)
		}
	}
}

// What is written for a new project is the example, and says what it would say if it were not there.
func TestFile(t *testing.T) {
	if diff := cmp.Diff(example(t, "config.json"), string(Defaults().File())); diff != "" {
		t.Errorf("(-example +written)\n%s", diff)
	}
	odd := load(t, Sources{Project: project(t, `{"policy": [{"decision": "deny", "pattern": "<}\"{>"}], "scout": {"endpoint": "http://h:1"}}`)})
	if again := load(t, Sources{Project: project(t, string(odd.File()))}); odd.Changed(again) != nil {
		t.Errorf("read again, other values of %v: %s", odd.Changed(again), odd.File())
	}
}
