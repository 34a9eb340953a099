package clang

import (
	"slices"
	"testing"

	"tidepool/lsp/internal/process"
	"tidepool/lsp/internal/session"
)

func TestArenas(t *testing.T) {
	if got, want := arenas(nil, 8), []string{"MALLOC_ARENA_MAX=16"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := arenas([]string{"MALLOC_ARENA_MAX=64"}, 8); got != nil {
		t.Errorf("%q beside the user's own", got)
	}
}

func TestWorkers(t *testing.T) {
	for _, test := range []struct {
		name    string
		share   int64
		command []string
		env     []string
		want    string
	}{
		{"enough for all", 4 << 30, nil, nil, ""},
		{"enough for three", 1600 << 20, nil, nil, " -j=3"},
		{"not enough for one", 100 << 20, nil, nil, " -j=1"},
		{"nothing is told", 0, nil, nil, ""},
		{"chosen on the command line", 1 << 30, []string{"-j=5"}, nil, ""},
		{"chosen in the environment", 1 << 30, nil, []string{"CLANGD_FLAGS=--pretty -j=5"}, ""},
		{"other flags", 1 << 30, []string{"--pretty"}, []string{"CLANGD_FLAGS=--log=error"}, " -j=2"},
	} {
		language := &session.Language{Command: append([]string{"clangd"}, test.command...)}
		l := &session.Launch{Language: language, Env: test.env, Memory: process.Memory{Share: test.share}}
		if got := workers(l, 8); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
