package loopback

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"tidepool/internal/state"
)

const (
	recordName = "http.json"
	maxRecord  = 4 << 10 // bytes
)

// A Record is how programs of the user find an open port. It is in the state directory, where only the user can read it.
type Record struct {
	URL   string `json:"url"` // without the token
	Token string `json:"token"`
	PID   int    `json:"pid"` // of the daemon
}

// Header returns the header that admits a request.
func (r *Record) Header() string { return "Bearer " + r.Token }

// Address returns the URL with the token, to which a path can be appended.
func (r *Record) Address() string { return r.URL + "/" + r.Token }

// Open removes the record of a process that has ended from the state directory, and opens a port with a record there. Without an address
// it opens none and returns nil.
func Open(stateDir, address string) (*Port, error) {
	p, err := open(stateDir, address)
	if err != nil && p != nil {
		err = errors.Join(err, p.listener.Close())
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

func open(stateDir, address string) (p *Port, err error) {
	dir, err := state.Open(stateDir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	if err := dir.File(recordName).Remove(); err != nil || address == "" {
		return nil, err
	}
	if p, err = listen(address); err != nil {
		return nil, err
	}
	p.dir = stateDir
	data, err := json.Marshal(p.Record())
	if err != nil {
		return p, err
	}
	if err := dir.File(recordName).Replace(append(data, '\n')); err != nil {
		return p, fmt.Errorf("keeping the port's token: %w", err)
	}
	return p, nil
}

// Record returns the record of the port.
func (p *Port) Record() *Record { return &Record{p.URL(), p.token, os.Getpid()} }

// Close closes the port and removes its record. The record of a daemon that has taken over stays.
func (p *Port) Close() error {
	err := p.listener.Close()
	if errors.Is(err, net.ErrClosed) { // by its user
		err = nil
	}
	record, failed := Load(p.dir)
	if failed != nil || record == nil || record.PID != os.Getpid() {
		return errors.Join(err, failed)
	}
	return errors.Join(err, state.Within(filepath.Join(p.dir, recordName), (*state.File).Remove))
}

// Load reads the record in a state directory; nil: there is none. The process that wrote it may have ended.
func Load(stateDir string) (record *Record, err error) {
	path := filepath.Join(stateDir, recordName)
	err = state.Within(path, func(f *state.File) error {
		data, err := f.Read(maxRecord)
		if err != nil {
			return err
		}
		record = new(Record)
		return json.Unmarshal(data, record)
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return record, nil
}
