// Package teamtest starts PostgreSQL servers for tests: real ones, each in a temporary directory of its own.
package teamtest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// Superuser is the role that owns a server, and Password is its password over TCP. Over the Unix socket it needs none.
const (
	Superuser = "postgres"
	Password  = "not a secret: a test's"
)

// unprivileged is whom a server runs as if the tests run as root, which PostgreSQL refuses: nobody, on Debian as elsewhere.
const unprivileged = 65534

// A Server is a running PostgreSQL server. It listens on a Unix socket and on 127.0.0.1, there with TLS too. Its owner is whoever
// started it, who calls Stop. Should the process of the tests be killed, the server ends by itself.
type Server struct {
	dir       string // data, log, socket; belongs to whom the server runs as
	port      int
	shell     *exec.Cmd
	lifeline  io.WriteCloser // the server runs as long as it is open
	databases atomic.Int64
}

// Start starts a server. Its error says what is missing.
func Start() (*Server, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pg") // short: the path of a socket has some 100 bytes
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, port: port}
	if err := s.prepare(); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	if err := s.run(bin); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return s, nil
}

// programs returns the directory of PostgreSQL's programs: on PATH, else where Debian has those of its newest version.
func programs() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is well formed
	if len(found) == 0 {
		return "", errors.New("PostgreSQL is missing: make test-team installs it")
	}
	slices.SortFunc(found, func(a, b string) int { return version(a) - version(b) })
	return filepath.Dir(found[len(found)-1]), nil
}

func version(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path)))) // 0 for what is no version
	return n
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// prepare writes what the server starts with.
func (s *Server) prepare() error {
	if err := os.WriteFile(filepath.Join(s.dir, "password"), []byte(Password), 0o600); err != nil {
		return err
	}
	if err := writeCertificate(s.dir); err != nil {
		return err
	}
	if os.Getuid() != 0 {
		return nil
	}
	return filepath.WalkDir(s.dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, unprivileged, unprivileged)
	})
}

// script makes a cluster, runs a server until its input ends, and removes everything. Nothing is synced: no test pulls a plug. The directory itself stays
// where only its maker may remove it: in a temporary directory that is not everybody's.
const script = `
trap '' INT TERM HUP
"$1/initdb" -D data -N -E UTF8 --locale=C -U "$2" --auth-local=trust --auth-host=scram-sha-256 --pwfile=password >log 2>&1 &&
cp server.crt server.key data &&
"$1/pg_ctl" -D data -w -t 120 -s -l log start -o "-p $3 -k $PWD -c listen_addresses=127.0.0.1 -c ssl=on -c fsync=off -c max_connections=64" >>log 2>&1 ||
	{ cat log; exit 1; }
echo ready
cat >/dev/null
"$1/pg_ctl" -D data -m immediate -w -s stop
cd / && rm -rf "$4" 2>/dev/null
test -z "$(ls -A "$4" 2>/dev/null)"
`

func (s *Server) run(bin string) error {
	s.shell = exec.Command("sh", "-c", script, "sh", bin, Superuser, strconv.Itoa(s.port), s.dir)
	s.shell.Dir = s.dir
	s.shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt at the terminal is the tests' own
	if os.Getuid() == 0 {
		s.shell.SysProcAttr.Credential = &syscall.Credential{Uid: unprivileged, Gid: unprivileged}
	}
	var err error
	if s.lifeline, err = s.shell.StdinPipe(); err != nil {
		return err
	}
	out, err := s.shell.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.shell.Start(); err != nil {
		return err
	}
	lines := bufio.NewReader(out)
	if first, _ := lines.ReadString('\n'); first != "ready\n" {
		rest, _ := io.ReadAll(lines)
		return fmt.Errorf("PostgreSQL does not start: %w: %s%s", s.shell.Wait(), first, rest)
	}
	return nil
}

// Stop ends the server and waits for its end. Nothing of it is left.
func (s *Server) Stop() error {
	s.lifeline.Close() // its reader ends by that
	return errors.Join(s.shell.Wait(), os.RemoveAll(s.dir))
}

// Certificate returns the path of the certificate that vouches for the server under the name localhost.
func (s *Server) Certificate() string { return filepath.Join(s.dir, "server.crt") }

// Port returns the port of 127.0.0.1 on which the server listens.
func (s *Server) Port() int { return s.port }

// Run executes statements as the superuser. It returns the rows of the last one, a line each, with | between columns.
func (s *Server) Run(t testing.TB, database string, statements ...string) string {
	t.Helper()
	conn, err := pgconn.Connect(context.Background(), s.URL(Superuser, database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var lines []string
	for _, statement := range statements {
		results, err := conn.Exec(context.Background(), statement).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		lines = lines[:0]
		for _, row := range results[len(results)-1].Rows {
			lines = append(lines, string(bytes.Join(row, []byte("|"))))
		}
	}
	return strings.Join(lines, "\n")
}

// Database makes an empty database, which t removes, and returns its name.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	name := "d" + strconv.FormatInt(s.databases.Add(1), 10)
	s.Run(t, "postgres", "CREATE DATABASE "+name)
	t.Cleanup(func() { s.Run(t, "postgres", "DROP DATABASE "+name+" WITH (FORCE)") })
	return name
}

// URL returns the address of a database for a role, over the Unix socket.
func (s *Server) URL(role, database string) string {
	query := url.Values{"host": {s.dir}, "port": {strconv.Itoa(s.port)}}
	return (&url.URL{Scheme: "postgres", User: url.User(role), Path: "/" + database, RawQuery: query.Encode()}).String()
}

// TCP returns the address of a database for a role, over TCP. The host is one that the certificate names, or not.
func (s *Server) TCP(role, database, host string, query url.Values) string {
	return (&url.URL{Scheme: "postgres", User: url.User(role), Host: net.JoinHostPort(host, strconv.Itoa(s.port)), Path: "/" + database, RawQuery: query.Encode()}).String()
}
