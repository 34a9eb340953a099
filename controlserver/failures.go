package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"tidepool/protocol"
)

// maxFailures bounds what is read of a file of failures, in bytes: twice what the agent lets it grow to.
const maxFailures = 512 << 10

// readFailures returns the hooks that got no answer, the oldest first, as far as the agent has kept them.
func readFailures(state string) ([]protocol.HookFailure, error) {
	path := filepath.Join(state, protocol.FailuresName)
	failures := []protocol.HookFailure{}
	for _, name := range []string{path + ".1", path} {
		data, err := readBounded(name)
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

// readBounded reads a regular file: the agent makes no other, but a checkout might.
func readBounded(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFailures))
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
