package team

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// An AwayError means that the team's server does not answer, or lets nobody in. Only its memories are missing.
type AwayError struct {
	Name  string    // of the database, with its host
	Why   string    // in the words of this package or of the operating system
	Again time.Time // nobody asks before
}

func (e *AwayError) Error() string {
	return fmt.Sprintf("the team's database %s does not answer: %s", e.Name, e.Why)
}

// Hint says when it is asked again.
func (e *AwayError) Hint() string {
	return "its memories are left out; it is asked again after " + e.Again.Format("15:04:05")
}

// A LateError means that the team's server had not answered when the caller could wait no longer.
type LateError struct{ Name string }

func (e *LateError) Error() string {
	return "the team's database " + e.Name + " has not answered in time"
}

// Hint says how to ask with more patience.
func (*LateError) Hint() string { return "memory_recall waits longer than a prompt can" }

// A RefusedError means that the server did not do what it was asked.
type RefusedError struct {
	Name string
	Code string // SQLSTATE, of PostgreSQL's appendix A
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the team's database %s refuses: %s", e.Name, meaning(e.Code))
}

// Hint says who can do something about it.
func (e *RefusedError) Hint() string {
	if e.Code == insufficientPrivilege {
		return "ask its owner for the rights that docs/team.md names"
	}
	return "look at the server's log"
}

// A NewerError means that a newer program has made the schema of the team's database.
type NewerError struct {
	Name           string
	Version, Known int
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("the team's database %s has schema %d, and this program knows up to %d", e.Name, e.Version, e.Known)
}

// Hint says what to do.
func (*NewerError) Hint() string { return "update tidepool" }

// Codes of PostgreSQL's appendix A.
const (
	insufficientPrivilege = "42501"
	queryCanceled         = "57014"
)

// meaning says what some codes mean. A message of the server is not shown, because it may quote what it was sent.
func meaning(code string) string {
	switch code {
	case insufficientPrivilege:
		return "this role may not do that"
	case queryCanceled:
		return "that takes too long"
	case "28P01", "28000":
		return "the password is wrong, or the role may not log in"
	case "3D000":
		return "there is no such database"
	case "53300":
		return "it has too many connections"
	case "53100":
		return "its disk is full"
	case "25006":
		return "it can only be read at present"
	case "57P01", "57P02", "57P03":
		return "it is starting or ending"
	}
	return "SQLSTATE " + code
}

// isAway reports whether an error says that the server is not there, and not that it does not do something.
func isAway(err error) bool {
	var refused *pgconn.PgError
	var connect *pgconn.ConnectError
	switch {
	case err == nil:
		return false
	case errors.As(err, &connect):
		return true
	case errors.As(err, &refused):
		return refused.Code == queryCanceled || refused.Code == "53300" || strings.HasPrefix(refused.Code, "57P") || strings.HasPrefix(refused.Code, "08")
	}
	var newer *NewerError
	return !errors.As(err, &newer) && !errors.Is(err, context.Canceled)
}

// why says of a failed request what happened, without anything that was sent or received.
func why(err error) string {
	var (
		refused     *pgconn.PgError
		certificate *tls.CertificateVerificationError
		host        *net.DNSError
		system      syscall.Errno
	)
	switch {
	case errors.As(err, &refused):
		return meaning(refused.Code)
	case errors.As(err, &certificate):
		return "its certificate is not one to trust: " + certificate.Err.Error()
	case errors.As(err, &host):
		return "its host has no address"
	case errors.As(err, &system):
		return system.Error()
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "it took too long"
	}
	return "the connection ended"
}
