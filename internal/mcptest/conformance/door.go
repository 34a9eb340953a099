package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"tidepool/internal/loopback"
	"tidepool/internal/mcphttp"
	"tidepool/internal/server"
)

// stopLimit bounds the end of a server.
const stopLimit = 5 * time.Second

// A door is a way to the tools that the suite judges.
type door struct {
	name       string // as docs/figures.md calls it
	exclusions []*exclusion
	open       func() (url string, closes func() error, err error)
}

func doors(c checkout, dir string) []door {
	return []door{
		{"agent mcp", agentExclusions(), func() (string, func() error, error) { return openBridge(c.agent, dir) }},
		{"/mcp", portExclusions(), func() (string, func() error, error) { return openPort(filepath.Join(dir, "port")) }},
	}
}

// openBridge offers the agent of a project to the suite.
func openBridge(agent, dir string) (url string, closes func() error, err error) {
	b := &bridge{agent: agent, dir: dir, sessions: make(map[string]*process)}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	web := &http.Server{Handler: b, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	return "http://" + listener.Addr().String() + "/mcp", func() error {
		err := errors.Join(web.Close(), ignoreClosed(<-served))
		b.close()
		return err
	}, nil
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// openPort serves the same tools on a port, as the daemon does when its user asks for one. The URL has the token.
func openPort(stateDir string) (url string, closes func() error, err error) {
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return "", nil, err
	}
	port, err := loopback.Open(stateDir, "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	handler := mcphttp.New(mcphttp.Options{Version: "v1", Prefix: loopback.Prefix})
	s := server.New(serverOptions(&fixtures{generation: 1, replace: func() {}})) // a session ends with its daemon: none sees another list
	served := make(chan error, 1)
	go func() { served <- s.ServePort(port.Listener(), port.Guard(handler)) }()
	return port.Record().Address() + "/mcp", func() error {
		ctx, cancel := context.WithTimeout(context.Background(), stopLimit)
		defer cancel()
		err := errors.Join(s.Shutdown(ctx), <-served)
		handler.Close()
		return errors.Join(err, port.Close())
	}, nil
}
