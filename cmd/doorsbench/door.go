package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
)

const session = "bench" // of all calls

// A door is a way to the tools, with a client that keeps its connection.
type door struct {
	name  string
	hold  float64 // the most that it may cost, in calls by line; 0: it is only told
	ask   func(context.Context) (text string, err error)
	close func()
}

// doors opens all of them, that of lines first. Each has answered once.
func (w *warm) doors(ctx context.Context) (all []door, closeAll func(), err error) {
	closeAll = func() {
		for _, d := range all {
			d.close()
		}
	}
	for _, open := range []func(context.Context, *warm) (door, error){lineDoor, jsonDoor, grpcDoor, mcpDoor} {
		d, err := open(ctx, w)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		all = append(all, d)
		if err := w.check(ctx, d); err != nil {
			closeAll()
			return nil, nil, err
		}
	}
	return all, closeAll, nil
}

// check asks by a door, and compares the answer with that of the line.
func (w *warm) check(ctx context.Context, d door) error {
	text, err := d.ask(ctx)
	if err == nil && text != w.text {
		err = fmt.Errorf("the answer is %q, by line %q", text, w.text)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", d.name, err)
	}
	return nil
}

// webClient returns a client of HTTP/1.1 over the socket.
func webClient(socket string) *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
}

// bodyOf reads the body of a response, which must be a success.
func bodyOf(response *http.Response) ([]byte, error) {
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, body)
	}
	return body, err
}
