package command

import (
	"errors"
	"fmt"
	"os"
	"time"

	"tidepool/internal/state"
	"tidepool/internal/unixsock"
	"tidepool/protocol"
)

// dial connects to the daemon's socket, which is not another one by a link that a clone has brought.
func dial(socket string, deadline time.Time) (*unixsock.Conn, error) {
	if err := state.Dialable(socket); err != nil {
		return nil, err
	}
	return unixsock.Dial(socket, deadline)
}

// exchange makes one request of a daemon and reads its one reply.
func exchange[R protocol.Response](socket string, request protocol.Request, timeout time.Duration) (R, error) {
	var none R
	conn, err := dial(socket, time.Now().Add(timeout))
	if err != nil {
		return none, err
	}
	defer conn.Close()
	if _, err := conn.Write(protocol.AppendRequest(nil, request)); err != nil {
		return none, err
	}
	line, err := protocol.NewReader(conn).ReadLine()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return none, fmt.Errorf("no answer in %v", timeout)
	}
	if err != nil {
		return none, err
	}
	response, err := protocol.DecodeResponse(line)
	if err != nil {
		return none, err
	}
	switch r := response.(type) {
	case R:
		return r, nil
	case *protocol.ErrorResponse:
		return none, r.Error
	}
	return none, fmt.Errorf("it answered with another message: %T", response)
}
