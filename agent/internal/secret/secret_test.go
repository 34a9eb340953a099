package secret

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/agent/internal/peertest"
	"tidepool/internal/fingerprint"
	"tidepool/protocol"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func source(project string, environ ...string) Source {
	return Source{
		Place: protocol.Place{Project: project, Managed: true}, Dir: project, Environ: environ,
		Getenv: func(string) string { return filepath.Join(project, "home") },
	}
}

// namesIn returns the names of fingerprints, each once.
func namesIn(t *testing.T, raw json.RawMessage) map[string]int {
	t.Helper()
	var prints []fingerprint.Print
	if err := json.Unmarshal(raw, &prints); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	names := map[string]int{}
	for _, p := range prints {
		names[p.Name]++
	}
	return names
}

// What leaves the process has names and no values: neither in any of their forms nor in a part.
func TestFingerprints(t *testing.T) {
	project := peertest.Project(t)
	write(t, filepath.Join(project, ".env"), "DB_PASSWORD=h7Kq2vXz9LmP\n")
	write(t, filepath.Join(project, ".tidepool", "config.json"), `{"scrub": {"values": ["PIN"]}}`)
	checkout := t.TempDir()
	write(t, filepath.Join(checkout, ".env"), "OTHER_PASSWORD=Zq8wRt5yUi3o\n")
	s := source(project, "API_TOKEN=tok-4f9Qw7Lx2Zb8", "PIN=development", "EDITOR=vim-is-no-secret")
	s.Dir = checkout
	raw, err := s.Fingerprints()
	if err != nil {
		t.Fatal(err)
	}
	names := namesIn(t, raw)
	for _, part := range []string{"DB_PASSWORD", "OTHER_PASSWORD", "API_TOKEN", "PIN"} {
		if !strings.Contains(strings.Join(keys(names), " "), part) {
			t.Errorf("%s is missing in %v", part, names)
		}
	}
	if len(names) != 4 {
		t.Errorf("%v", names)
	}
	for _, value := range []string{"h7Kq2vXz", "tok-4f9Q", "development", "Zq8wRt5y"} {
		if strings.Contains(string(raw), value) {
			t.Errorf("%s has left the process", value)
		}
	}
}

func keys(m map[string]int) (all []string) {
	for k := range m {
		all = append(all, k)
	}
	return all
}

func TestNoSecrets(t *testing.T) {
	project := peertest.Project(t)
	if raw, err := source(project, "EDITOR=vim").Fingerprints(); raw != nil || err != nil {
		t.Errorf("%s, %v", raw, err)
	}
	if _, err := os.Stat(filepath.Join(project, ".tidepool", "scrub.key")); !os.IsNotExist(err) {
		t.Errorf("a key was made for nothing: %v", err)
	}
	if raw, err := source(t.TempDir(), "API_TOKEN=tok-4f9Qw7Lx2Zb8").Fingerprints(); raw != nil || err != nil {
		t.Errorf("without a state directory: %s, %v", raw, err)
	}
}

// What is left out is told, without a value.
func TestTooManySecrets(t *testing.T) {
	var environ []string
	for i := range 900 {
		environ = append(environ, fmt.Sprintf("TOKEN_%d=tok-4f9Qw7Lx2Zb8-%04dQx", i, i))
	}
	raw, err := source(peertest.Project(t), environ...).Fingerprints()
	if err == nil || !strings.Contains(err.Error(), "too many secrets") || strings.Contains(err.Error(), "4f9Q") {
		t.Errorf("error %v", err)
	}
	total := 0
	for _, n := range namesIn(t, raw) {
		total += n
	}
	if total != maxPrints {
		t.Errorf("%d fingerprints", total)
	}
}
