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
	line, err := exchangeLine(socket, protocol.AppendRequest(nil, request), time.Now().Add(timeout))
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

func exchangeLine(socket string, line []byte, deadline time.Time) ([]byte, error) {
	conn, err := dial(socket, deadline)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if _, err := conn.Write(line); err != nil {
		return nil, err
	}
	return protocol.NewReader(conn).ReadLine()
}
