package ollama_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/ollama"
	"tidepool/internal/ollama/ollamatest"
	"tidepool/internal/state"
)

func recordings(t *testing.T, path string) []ollama.Recording {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []ollama.Recording
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var r ollama.Recording
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		list = append(list, r)
	}
	return list
}

func recorder(t *testing.T, path string) *ollama.Recorder {
	t.Helper()
	r, err := ollama.OpenRecorder(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() }) // a second time where the test has done it
	return r
}

func TestRecorder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scout", "calls.jsonl")
	r := recorder(t, path)
	server := ollamatest.New(t, func(prompt string) string {
		if strings.Contains(prompt, "refuse") {
			return "I cannot."
		}
		return "Well. <start_function_call>call:rate{risk:4,why:<escape>the token is ghp_0123456789abcdef<escape>}<end_function_call>"
	})
	c := client(t, ollama.Options{Endpoint: server.URL, Record: r})
	texts := []string{`password := "hunter2"` + "\nurl := \"https://me:pass@host/\"", "refuse", "refuse"}
	for _, text := range texts {
		c.Call(t.Context(), prompt(text)) // its failures are recorded
	}
	c.Call(t.Context(), prompt(texts[0])) // remembered
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: want a file for its owner alone", info.Mode(), err)
	}
	list := recordings(t, path)
	if len(list) != 3 {
		t.Fatalf("%d recordings, want one for each time the model was asked", len(list))
	}
	whole, _ := json.Marshal(list)
	for _, secret := range []string{"hunter2", "me:pass", "ghp_0123456789abcdef"} {
		if strings.Contains(string(whole), secret) {
			t.Errorf("%q is recorded", secret)
		}
	}
	good, bad := list[0], list[1]
	if !strings.HasPrefix(good.Prompt, "<start_of_turn>developer") || good.Model != ollamatest.Model || strings.TrimSpace(good.Content) != "Well." || good.Done != "stop" ||
		len(good.Calls) != 1 || good.Calls[0].Name != "rate" || good.Calls[0].Arguments["risk"] != 4. || good.Problem != "" {
		t.Errorf("%+v", good)
	}
	if !strings.Contains(bad.Problem, string(ollama.NoCall)) || bad.Content != "I cannot." || bad.Calls != nil {
		t.Errorf("%+v", bad)
	}
}

func TestRecorderAppendsAndTurnsOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	if err := os.WriteFile(path, append(bytes.Repeat([]byte("x"), 32<<20), '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	r := recorder(t, path)
	server := ollamatest.New(t, func(string) string { return risky })
	c := client(t, ollama.Options{Endpoint: server.URL, Record: r})
	for _, text := range []string{"a", "b"} {
		if _, err := c.Call(t.Context(), prompt(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(recordings(t, path)); n != 2 {
		t.Errorf("%d recordings in the new file, want 2", n)
	}
	if info, err := os.Stat(path + ".1"); err != nil || info.Size() != 32<<20+1 {
		t.Errorf("the old file: %v, %v", info, err)
	}
}

func TestRecorderThatCannotOpen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ollama.OpenRecorder(filepath.Join(file, "calls.jsonl")); err == nil || !strings.Contains(err.Error(), "recording the model's answers") {
		t.Errorf("%v", err)
	}
}

// A recorder whose file becomes a link when it turns does not follow it.
func TestRecorderFollowsNoLink(t *testing.T) {
	dir := filepath.Join(t.TempDir(), state.Name)
	path, outside := filepath.Join(dir, "training", "calls.jsonl"), filepath.Join(t.TempDir(), "profile")
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(outside, []byte("mine"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{path, filepath.Dir(path)} {
		if err := errors.Join(os.RemoveAll(link), os.Symlink(outside, link)); err != nil {
			t.Fatal(err)
		}
		if _, err := ollama.OpenRecorder(path); !state.IsRefused(err) {
			t.Errorf("%s: %v", filepath.Base(link), err)
		}
	}
	if text, err := os.ReadFile(outside); string(text) != "mine" || err != nil {
		t.Errorf("outside is %q, %v", text, err)
	}
}
