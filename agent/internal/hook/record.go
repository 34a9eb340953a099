package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tidepool/protocol"
)

// RecordName is the file in a project's state directory that holds the
// failures of hooks, one JSON object a line.
const RecordName = "hook-failures.jsonl"

// maxRecords is the size in bytes at which the file becomes RecordName+".1",
// in place of the one before.
const maxRecords = 256 << 10

// A record is one failed hook. It holds nothing of what the hook was about.
type record struct {
	Time      string         `json:"time"` // RFC 3339
	Event     protocol.Event `json:"event"`
	SessionID string         `json:"session_id,omitempty"`
	Reason    string         `json:"reason"`
	Closed    bool           `json:"closed,omitempty"` // the fail mode
}

// append writes the record; that it cannot is worth a line, but no failure.
func (r record) append(place protocol.Place, stderr io.Writer) {
	r.Time = time.Now().UTC().Format(time.RFC3339)
	r.Event = protocol.Event(clip(string(r.Event), 60))
	r.SessionID = clip(r.SessionID, 100)
	r.Reason = clip(r.Reason, 500)
	line, err := json.Marshal(r)
	if err == nil {
		err = appendLine(filepath.Join(place.Project, protocol.StateDir, RecordName), line)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) { // a named socket needs no state directory
		fmt.Fprintf(stderr, "tidepool: cannot record the failure: %v\n", err)
	}
}

// appendLine follows no symbolic link: the file may have come with a checkout.
func appendLine(path string, line []byte) error {
	if info, err := os.Lstat(path); err == nil && info.Size() >= maxRecords {
		if err := os.Rename(path, path+".1"); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return err
	}
	if _, err := file.Write(append(line, '\n')); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// recordable is the reason without what the daemon may have quoted of a
// request.
func recordable(err error) string {
	if refused, ok := err.(*protocol.Error); ok {
		return fmt.Sprintf("the daemon refused the hook with error %d", refused.Code)
	}
	return err.Error()
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n]
}
