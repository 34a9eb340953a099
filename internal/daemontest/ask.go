package daemontest

import (
	"context"
	"fmt"
	"io"
	"time"

	"tidepool/internal/unixsock"
	"tidepool/protocol"
)

// Patience is how long a test waits for what should happen at once: far above what a busy machine takes.
const Patience = 5 * time.Minute

// Ask makes one exchange on a connection of its own, which the end of ctx cuts.
func Ask[R protocol.Response](ctx context.Context, socket string, request protocol.Request) (R, error) {
	var none R
	conn, err := unixsock.Dial(socket, time.Now().Add(Patience))
	if err != nil {
		return none, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	return Exchange[R](conn, request)
}

// Exchange makes one exchange on a connection.
func Exchange[R protocol.Response](conn io.ReadWriter, request protocol.Request) (R, error) {
	var none R
	if _, err := conn.Write(protocol.AppendRequest(nil, request)); err != nil {
		return none, err
	}
	message, err := read(conn)
	if err != nil {
		return none, err
	}
	response, ok := message.(R)
	if !ok {
		return none, fmt.Errorf("the daemon answered %s", protocol.AppendResponse(nil, message))
	}
	return response, nil
}

func read(conn io.Reader) (protocol.Response, error) {
	line, err := protocol.NewReader(conn).ReadLine()
	if err != nil {
		return nil, err
	}
	return protocol.DecodeResponse(line)
}
