//go:build team

package team

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/team/teamtest"
)

// server is what the tests of this package share: it takes seconds to make.
var server *teamtest.Server

func TestMain(m *testing.M) {
	var err error
	if server, err = teamtest.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

var harbor = memory.Project{Key: "0123456789abcdef", Name: "harbor", Path: "/home/maria/harbor"}

func save(t testing.TB, team *Team, d memory.Draft) Saved {
	t.Helper()
	saved, err := team.Save(t.Context(), harbor, d)
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

func TestSaveAndForget(t *testing.T) {
	database := server.Database(t)
	server.Run(t, "postgres", "CREATE ROLE maria LOGIN")
	t.Cleanup(func() {
		server.Run(t, database, "DROP OWNED BY maria CASCADE")
		server.Run(t, "postgres", "DROP ROLE maria")
	})
	server.Run(t, "postgres", "GRANT CREATE ON DATABASE "+database+" TO maria")
	one := open(t, server.URL("maria", database)) // makes the schema, so that it is hers
	first := save(t, one, memory.Draft{Kind: memory.Decision, Content: "We chose pnpm because of workspaces.", Tags: []string{"web"}, Session: "s", Turn: 1})
	other := open(t, server.URL(teamtest.Superuser, database))
	again := save(t, other, memory.Draft{Content: "we chose PNPM, because of workspaces"})
	second := save(t, other, memory.Draft{Content: "We chose bun instead.", Supersedes: first.ID, Session: "s", Turn: 2})
	if first.Kept != "new" || again.Kept != "merged" || again.ID != first.ID || second.Kept != "superseded" {
		t.Fatal(first, again, second)
	}
	e, err := one.Expand(t.Context(), first.ID, 3)
	if err != nil || e == nil {
		t.Fatal(e, err)
	}
	if e.SupersededBy != second.ID || e.Author != "maria" || e.Kind != memory.Decision || e.Scope != memory.ForTeam || e.Trust != memory.Saved ||
		e.Project.Name != "harbor" || e.Project.Path != "" || len(e.Tags) != 1 || e.Created.IsZero() {
		t.Errorf("%+v", e)
	}
	if len(e.Before) != 0 || len(e.After) != 1 || e.After[0].ID != second.ID || e.After[0].Author != "maria as postgres" {
		t.Errorf("%+v", e)
	}
	confidence, found, err := other.Feedback(t.Context(), first.ID, true)
	if err != nil || !found || confidence < .6 || confidence > .7 {
		t.Error(confidence, found, err)
	}
	gone, err := other.Forget(t.Context(), second.ID, "team_000000000000", "mem_000000000000")
	if err != nil || len(gone) != 1 || gone[0].ID != second.ID {
		t.Error(gone, err)
	}
	if e, err = one.Expand(t.Context(), second.ID, 0); e != nil || err != nil {
		t.Error(e, err)
	}
	if e, err = one.Expand(t.Context(), first.ID, 0); err != nil || e.SupersededBy != "" {
		t.Error(e, err)
	}
	if text := server.Run(t, database, "SELECT * FROM tidepool.memory"); strings.Contains(text, "/home") {
		t.Error(text)
	}
}

// Programs that connect to an empty database at the same time make one schema.
func TestSchemaIsMadeOnce(t *testing.T) {
	database := server.Database(t)
	failed := make(chan error)
	const programs = 8
	for range programs {
		team := open(t, server.URL(teamtest.Superuser, database))
		go func() {
			_, err := team.Save(t.Context(), harbor, memory.Draft{Content: "Always use pnpm in web."})
			failed <- err
		}()
	}
	for range programs {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	if n := server.Run(t, database, "SELECT count(*) FROM tidepool.memory"); n != "1" {
		t.Errorf("%s memories", n)
	}
}

func TestNewerSchemaIsLeftAlone(t *testing.T) {
	database := server.Database(t)
	save(t, open(t, server.URL(teamtest.Superuser, database)), memory.Draft{Content: "x y"})
	server.Run(t, database, "UPDATE tidepool.version SET schema = 2")
	_, err := open(t, server.URL(teamtest.Superuser, database)).Save(t.Context(), harbor, memory.Draft{Content: "a b"})
	if newer := (*NewerError)(nil); !errors.As(err, &newer) {
		t.Error(err)
	}
}

// A role without rights learns whom to ask, and that does not make the server away.
func TestRolesMayBeRefused(t *testing.T) {
	database := server.Database(t)
	server.Run(t, "postgres", "CREATE ROLE guest LOGIN")
	t.Cleanup(func() { server.Run(t, "postgres", "DROP ROLE guest") })
	guest := open(t, server.URL("guest", database))
	for range 3 {
		_, err := guest.Save(t.Context(), harbor, memory.Draft{Content: "x y"})
		if refused := (*RefusedError)(nil); !errors.As(err, &refused) || refused.Code != insufficientPrivilege || !strings.Contains(refused.Hint(), "rights") {
			t.Fatal(err)
		}
	}
}

// TCP takes the password from the file, and TLS as libpq means it.
func TestPasswordsAndCertificates(t *testing.T) {
	database := server.Database(t)
	file := filepath.Join(t.TempDir(), "pgpass")
	put := func(password string) {
		t.Helper()
		line := "*:*:*:*:" + strings.ReplaceAll(password, ":", `\:`) + "\n"
		if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	certificate := url.Values{"sslmode": {"verify-full"}, "sslrootcert": {server.Certificate()}, "passfile": {file}}
	try := func(host string, query url.Values) error {
		t.Helper()
		team, err := Open(Options{Address: server.TCP(teamtest.Superuser, database, host, query), Scrub: scrubber(t)})
		if err != nil {
			t.Fatal(err)
		}
		defer team.Close()
		_, err = team.Expand(t.Context(), "team_000000000000", 0)
		return err
	}
	put(teamtest.Password)
	if err := try("localhost", certificate); err != nil {
		t.Error(err)
	}
	if err := try("127.0.0.1", certificate); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Error("another host:", err)
	}
	if err := try("localhost", url.Values{"sslmode": {"verify-full"}, "passfile": {file}}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Error("nobody vouches for it:", err)
	}
	if err := try("127.0.0.1", url.Values{"sslmode": {"require"}, "passfile": {file}}); err != nil {
		t.Error(err)
	}
	put("hunter2")
	err := try("localhost", certificate)
	if err == nil || !strings.Contains(err.Error(), "password is wrong") || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
}
