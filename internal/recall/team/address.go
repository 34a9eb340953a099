package team

import (
	"crypto/tls"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	connectTimeout = 2 * time.Second  // of one attempt to connect, for each address that the host has
	idleTimeout    = 30 * time.Minute // after which an unused connection is closed: prompts are minutes apart
	connections    = 2                // at a time
)

// An AddressError is the reason why recall.team does not name a database. It never repeats the setting, which may hold a password.
type AddressError struct{ Problem string }

func (e *AddressError) Error() string { return "cannot use the database of recall.team: " + e.Problem }

// Hint shows what an address looks like.
func (e *AddressError) Hint() string {
	return "set recall.team to an address such as postgres://maria@db.example/tidepool?sslmode=verify-full, with the password in ~/.pgpass"
}

// parse returns how to connect to an address. Beside the address the files and variables of libpq count, such as ~/.pgpass,
// ~/.pg_service.conf and PGSSLROOTCERT. A password in the address is refused: settings are shown and logged.
func parse(address string) (*pgxpool.Config, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, &AddressError{"it is not a URL"}
	case u.Scheme != "postgres" && u.Scheme != "postgresql":
		return nil, &AddressError{"it does not begin with postgres://"}
	}
	if _, has := u.User.Password(); has || u.Query().Has("password") || u.Query().Has("sslpassword") {
		return nil, &AddressError{"it has a password in it"}
	}
	if err := checkPassfile(passfile(u)); err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, &AddressError{"one of its parameters, or a file that it names, is wrong"}
	}
	if !u.Query().Has("connect_timeout") {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	parameters := config.ConnConfig.RuntimeParams
	parameters["application_name"] = "tidepool"
	parameters["statement_timeout"] = fmt.Sprint(answerTimeout.Milliseconds())
	parameters["search_path"] = "pg_catalog" // nothing here is found by a name without its schema
	parameters["enable_seqscan"] = "off"     // of a small table PostgreSQL would read each row, for each word of a question
	parameters["idle_in_transaction_session_timeout"] = parameters["statement_timeout"]
	config.MinConns, config.MaxConns = 0, connections
	config.MaxConnIdleTime = idleTimeout
	return config, nil
}

// passfile returns the path of the file from which libpq takes passwords. "" is none.
func passfile(u *url.URL) string {
	if path := u.Query().Get("passfile"); path != "" {
		return path
	}
	if path := os.Getenv("PGPASSFILE"); path != "" {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".pgpass")
}

// checkPassfile returns an error if a file with passwords is not private. libpq ignores such a file, and the driver reads it.
func checkPassfile(path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path) // a link is what its user has made
	if os.IsNotExist(err) {
		return nil
	}
	switch {
	case err != nil:
		return &AddressError{"the file with passwords cannot be looked at"}
	case info.Mode().Type() != 0:
		return &AddressError{path + " is no regular file"}
	case info.Mode()&(fs.ModePerm&0o077) != 0:
		return &AddressError{path + " can be read by others: chmod 600 it"}
	case owner(info) != os.Getuid():
		return &AddressError{path + " belongs to somebody else"}
	}
	return nil
}

func owner(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }

// name returns host and database of a configuration, for people.
func name(config *pgxpool.Config) string {
	c := config.ConnConfig
	if strings.HasPrefix(c.Host, "/") {
		return c.Database + " on this machine"
	}
	return c.Database + " at " + c.Host
}

// mayBePlain reports whether a connection may be one over a network without TLS.
func mayBePlain(config *pgxpool.Config) bool {
	c := config.ConnConfig
	if plain(c.Host, c.TLSConfig) {
		return true
	}
	return slices.ContainsFunc(c.Fallbacks, func(f *pgconn.FallbackConfig) bool { return plain(f.Host, f.TLSConfig) })
}

func plain(host string, with *tls.Config) bool {
	return with == nil && !strings.HasPrefix(host, "/") && host != "localhost" && !net.ParseIP(host).IsLoopback()
}
