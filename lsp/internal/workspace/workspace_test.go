package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/lsptest"
)

// toy is a language without a server.
func toy() session.Language {
	return session.Language{
		ID: "toy", Name: "Toy", Command: []string{os.Args[0]}, RootMarkers: []string{"toy.mod"}, Extensions: []string{".toy"},
	}
}

type fakeTrust struct{ trusted, own bool }

func (f *fakeTrust) Trusted(string) bool { return f.trusted }
func (f *fakeTrust) Own(string) bool     { return f.own }

// A package manager puts a directory of the project on PATH. Without trust nothing that came with the project is found there,
// neither the server nor what the server starts.
func TestPathIntoTheProject(t *testing.T) {
	dir, outer := t.TempDir(), filepath.Join(t.TempDir(), "bin")
	lsptest.Write(t, dir, "-- toy.mod --\n-- a.toy --\na\n")
	inner := filepath.Join(dir, "node_modules", ".bin")
	for _, at := range []string{inner, outer} {
		lsptest.Put(t, filepath.Join(at, "server"), "#!/bin/sh\n")
		if err := os.Chmod(filepath.Join(at, "server"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	language := toy()
	language.Command = []string{"server"}
	trust := &fakeTrust{}
	list := func(dirs ...string) string { return "PATH=" + strings.Join(dirs, string(filepath.ListSeparator)) }
	w := &Workspace{Languages: []session.Language{language}, env: []string{list(inner, ".", "", outer)}, trust: trust}
	w.Main = newTree(w, dir)
	defer w.Main.Close()
	w.trees = []*Tree{w.Main}
	w.ctx = t.Context()
	s := w.Main.Wanted()[0]
	for _, tt := range []struct {
		trusted, own bool
		found, path  string
	}{{true, false, inner, list(inner, ".", "", outer)}, {false, true, inner, list(inner, outer)}, {false, false, outer, list(outer)}} {
		trust.trusted, trust.own = tt.trusted, tt.own
		if path, err := s.find(); path != filepath.Join(tt.found, "server") || err != nil {
			t.Errorf("%+v: found %s, %v", tt, path, err)
		}
		if env := s.installed(); !tt.trusted && "PATH="+session.Getenv(env, "PATH") != tt.path {
			t.Errorf("%+v: %s", tt, session.Getenv(env, "PATH"))
		}
	}
	if err := os.Remove(filepath.Join(outer, "server")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(inner, "server"), filepath.Join(outer, "server")); err != nil {
		t.Fatal(err)
	}
	var refused *session.UntrustedError
	if _, err := s.find(); !errors.As(err, &refused) {
		t.Errorf("by a link: %v", err)
	}
}

// A server that was given up is tried again after a while.
func TestForgivenAfterAWhile(t *testing.T) {
	dir := t.TempDir()
	lsptest.Write(t, dir, "-- toy.mod --\n-- a.toy --\na\n")
	w := &Workspace{Languages: []session.Language{toy()}, ctx: t.Context()}
	w.Main = newTree(w, dir)
	defer w.Main.Close()
	w.trees = []*Tree{w.Main}
	s := w.Main.Wanted()[0]
	gaveUp := errors.New("it ends")
	for after, want := range map[time.Duration]error{0: gaveUp, failedFor: nil} {
		s.state, s.since, s.reason = Failed, time.Now().Add(-after), gaveUp
		if err := s.Obstacle(); err != want {
			t.Errorf("after %v: %v, want %v", after, err, want)
		}
	}
}
