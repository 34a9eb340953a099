package config

import "testing"

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
