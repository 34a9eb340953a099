package team

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/scrub"
)

func scrubber(t testing.TB) *scrub.Scrubber {
	t.Helper()
	s, err := scrub.New(scrub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAddressesAreRefused(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for address, problem := range map[string]string{
		"":                                      "does not begin with postgres://",
		"host=db password=hunter2":              "does not begin with postgres://",
		"https://db.example/x":                  "does not begin with postgres://",
		"postgres://[":                          "is not a URL",
		"postgres://maria:hunter2@db.example/x": "has a password in it",
		"postgres://maria:@db.example/x":        "has a password in it",
		"postgres://maria@db.example/x?password=hunter2":    "has a password in it",
		"postgres://maria@db.example/x?sslpassword=hunter2": "has a password in it",
		"postgres://maria@db.example/x?sslmode=hunter2":     "parameters",
		"postgres://maria@db.example/x?sslrootcert=/none":   "parameters",
	} {
		_, err := Open(Options{Address: address, Scrub: scrubber(t)})
		var wrong *AddressError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), problem) || strings.Contains(err.Error()+wrong.Hint(), "hunter2") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// libpq ignores a file with passwords that others can read; the driver would read it.
func TestFileWithPasswordsIsPrivate(t *testing.T) {
	const address = "postgres://maria@127.0.0.1:1/x?passfile="
	path := filepath.Join(t.TempDir(), "passwords")
	check := func(want string) {
		t.Helper()
		team, err := Open(Options{Address: address + path, Scrub: scrubber(t)})
		if err == nil {
			team.Close()
		}
		if err == nil != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2")) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	check("") // there is none
	if err := os.WriteFile(path, []byte("*:*:*:*:hunter2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	check("can be read by others")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	check("")
	path = t.TempDir()
	check("is no regular file")
}

func TestNothingIsKeptWithoutAScrubber(t *testing.T) {
	if team, err := Open(Options{Address: "postgres://127.0.0.1:1/x"}); err == nil {
		team.Close()
		t.Error("opened")
	}
}

func TestPlainConnectionsAreTold(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for address, want := range map[string]bool{
		"postgres://db.example/x":                     true, // prefer
		"postgres://db.example/x?sslmode=disable":     true,
		"postgres://db.example/x?sslmode=require":     false,
		"postgres://db.example/x?sslmode=verify-full": false,
		"postgres://127.0.0.1/x?sslmode=disable":      false,
		"postgres:///x?host=/run/postgresql":          false,
	} {
		config, err := parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := mayBePlain(config); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}
