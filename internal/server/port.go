package server

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

// servePort reads the first byte of a connection of a port, and refuses what is no HTTP.
func (c *conn) servePort() {
	if first, err := c.lines.Peek(); err == nil && isMethod(first) {
		c.serveHTTP(first)
		return
	} else if err == nil {
		_ = c.net.SetWriteDeadline(time.Now().Add(refuseTimeout))
		_, _ = c.net.Write(plainReply(http.StatusBadRequest, "this port speaks HTTP without TLS only"))
	}
	c.finish()
}

// handler returns what answers the requests of a connection.
func (c *conn) handler() http.Handler {
	if c.port != nil {
		return c.port
	}
	return c.server.options.HTTP
}

// plainReply returns a whole reply of HTTP/1.1 with a text, after which the connection is closed.
func plainReply(status int, text string) []byte {
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s\n",
		status, http.StatusText(status), len(text)+1, text)
}

// isTCP reports whether a connection came by a port. After the end of its input nothing shows whether the peer still reads, so the
// end counts as a hang-up.
func isTCP(nc net.Conn) bool { return nc.LocalAddr().Network() == "tcp" }
