package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"tidepool/internal/daemon"
	"tidepool/internal/logging"
	"tidepool/internal/unixsock"
	"tidepool/protocol"
)

type statusCommand struct {
	JSON    bool          `help:"Print one JSON object."`
	Timeout time.Duration `help:"How long the daemon may take to answer." default:"5s"`
}

// Run prints how the daemon is; that there is none is an error.
func (c *statusCommand) Run(place protocol.Place, std stdio) error {
	owner, running, err := daemon.Find(daemon.LockPath(place.Socket))
	if err != nil {
		return err
	}
	if !running {
		return &statusError{"not running: no daemon serves " + place.Project, "start it with: controlserver serve"}
	}
	s, err := askStatus(place.Socket, c.Timeout)
	if err != nil {
		return &statusError{
			fmt.Sprintf("the daemon (pid %d) does not say how it is: %v", owner.PID, err),
			"its log is " + logPath(place) + "; controlserver stop ends it",
		}
	}
	if c.JSON {
		return json.NewEncoder(std.out).Encode(s)
	}
	return printStatus(std.out, s)
}

// A statusError says why there is no status.
type statusError struct{ what, hint string }

func (e *statusError) Error() string { return e.what }

// Hint says what to do.
func (e *statusError) Hint() string { return e.hint }

func askStatus(socket string, timeout time.Duration) (*protocol.StatusResponse, error) {
	conn, err := unixsock.Dial(socket, time.Now().Add(timeout))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if _, err := conn.Write(protocol.AppendRequest(nil, &protocol.StatusRequest{})); err != nil {
		return nil, err
	}
	line, err := protocol.NewReader(conn).ReadLine()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, fmt.Errorf("no answer in %v", timeout)
	}
	if err != nil {
		return nil, err
	}
	response, err := protocol.DecodeResponse(line)
	if err != nil {
		return nil, err
	}
	switch r := response.(type) {
	case *protocol.StatusResponse:
		return r, nil
	case *protocol.ErrorResponse:
		return nil, r.Error
	}
	return nil, fmt.Errorf("it answered with another message: %T", response)
}

// printStatus writes s for a person.
func printStatus(out io.Writer, s *protocol.StatusResponse) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, logging.Escape(fmt.Sprintf(format, args...)))
	}
	row("daemon", "pid %d, version %s, up %v", s.PID, s.Version, age(time.Duration(s.UptimeMS)*time.Millisecond))
	row("project", "%s", s.Project)
	row("answers", "%s", s.Completeness)
	for _, l := range s.LanguageServers {
		row(l.Language, "%s", describeServer(l))
	}
	row("calls", "%d, %d in flight", s.Calls, s.CallsInFlight)
	row("clients", "%d", s.Clients)
	for _, event := range slices.Sorted(maps.Keys(s.Hooks)) {
		row("hook "+event, "%d", s.Hooks[event])
	}
	return w.Flush()
}

func describeServer(l protocol.LanguageServer) string {
	text := l.Command + " " + l.State
	if l.Total > 0 {
		text += fmt.Sprintf(", %d of %d", l.Done, l.Total)
	}
	if since, err := time.Parse(time.RFC3339, l.Since); err == nil {
		text += fmt.Sprintf(" for %v", age(time.Since(since)))
	}
	if l.PID > 0 {
		text += fmt.Sprintf(", pid %d", l.PID)
	}
	if l.Restarts > 0 {
		text += fmt.Sprintf(", restarts: %d", l.Restarts)
	}
	if l.Message != "" {
		text += ": " + l.Message
	}
	return text
}

func age(d time.Duration) time.Duration { return d.Round(time.Second) }
