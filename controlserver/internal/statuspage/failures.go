package statuspage

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"tidepool/internal/state"
	"tidepool/protocol"
)

// ShownFailures is how many failures, or kinds of them, are shown.
const ShownFailures = 20

// maxFailures bounds what is read of a file of failures, in bytes: twice what the agent lets it grow to.
const maxFailures = 512 << 10

// ReadFailures returns the hooks that got no answer, the oldest first, as far as the agent has kept them.
func ReadFailures(dir string) ([]protocol.HookFailure, error) {
	path := filepath.Join(dir, protocol.FailuresName)
	failures := []protocol.HookFailure{}
	for _, name := range []string{path + ".1", path} {
		data, err := readState(name, maxFailures)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(data) {
			var f protocol.HookFailure
			if json.Unmarshal(line, &f) == nil && f.Reason != "" { // a line may be cut by a full disk
				failures = append(failures, f)
			}
		}
	}
	return failures, nil
}

// readState reads a file below a state directory, of limit bytes at the most.
func readState(path string, limit int64) (data []byte, err error) {
	err = state.Within(path, func(f *state.File) error {
		data, err = f.Read(limit)
		return err
	})
	return data, err
}

// A failureKind is a reason with the hooks that failed for it.
type failureKind struct {
	reason string
	closed bool
	events []protocol.Event // each once
	count  int
	last   string // RFC 3339
}

// kinds groups failures by reason, the one that came up last first.
func kinds(failures []protocol.HookFailure) []*failureKind {
	var groups []*failureKind
	for _, f := range slices.Backward(failures) {
		i := slices.IndexFunc(groups, func(k *failureKind) bool { return k.reason == f.Reason && k.closed == f.Closed })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &failureKind{reason: f.Reason, closed: f.Closed, last: f.Time})
		}
		k := groups[i]
		k.count++
		if !slices.Contains(k.events, f.Event) {
			k.events = append(k.events, f.Event)
		}
	}
	return groups
}
