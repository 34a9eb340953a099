package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"tidepool/internal/state"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// maxRecords is the size in bytes at which the file of records is rotated.
const maxRecords = 256 << 10

type record protocol.HookFailure

// append writes the record. An error is printed, and does not change the hook's outcome.
func (r record) append(place protocol.Place, stderr io.Writer) {
	r.Time = time.Now().UTC().Format(time.RFC3339)
	r.Event = protocol.Event(wording.ClipBytes(string(r.Event), 60))
	r.SessionID = wording.ClipBytes(r.SessionID, 100)
	r.Reason = wording.ClipBytes(r.Reason, 500)
	line, err := json.Marshal(r)
	if err == nil {
		err = appendLine(filepath.Join(state.Of(place.Project), protocol.FailuresName), line)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) { // a named socket needs no state directory
		fmt.Fprintf(stderr, "tidepool: cannot record the failure: %v\n", err)
	}
}

// appendLine writes only into a state directory of this user, and follows no link:
// the file may have come with a checkout, and so may its directory.
func appendLine(path string, line []byte) error {
	return state.Within(path, func(f *state.File) error {
		if info, err := f.Stat(); err == nil && info.Size() >= maxRecords {
			if err := f.Rename(f.Name() + ".1"); err != nil {
				return err
			}
		}
		return f.AppendAll(append(line, '\n'))
	})
}

// recordable returns the reason without any text that the daemon may have quoted
// from a request.
func recordable(err error) string {
	if refused, ok := err.(*protocol.Error); ok {
		return fmt.Sprintf("the daemon refused the hook with error %d", refused.Code)
	}
	return err.Error()
}
