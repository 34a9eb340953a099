package server

import (
	"errors"
	"fmt"

	"tidepool/protocol"
)

// errNoScrubber is the reply of a daemon that scrubs nothing.
var errNoScrubber = errors.New("this daemon scrubs no output")

// scrub answers a part of a command's output.
func (k *call) scrub(r *protocol.ScrubText) protocol.Response {
	s := k.conn.server.options.Scrubber
	switch {
	case s == nil:
		return k.failure(errNoScrubber)
	case len(r.Text) > protocol.MaxScrubText:
		return k.failure(&protocol.Error{Code: protocol.CodeInvalidParams,
			Message: fmt.Sprintf("the text has %d bytes: send at most %d at a time", len(r.Text), protocol.MaxScrubText)})
	}
	return s.Scrub(k.ctx, r)
}
