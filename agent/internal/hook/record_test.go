package hook

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tidepool/protocol"
)

// A record of a failure goes into a file of this user's own, in a directory of this user's own, and nowhere else. That it
// cannot be written is one line on stderr.
func TestRecordStaysInTheStateDirectory(t *testing.T) {
	plants := map[string]func(dir, file, outside string) error{
		"the directory is a link": func(dir, file, outside string) error {
			return errors.Join(os.Remove(dir), os.Symlink(filepath.Dir(outside), dir))
		},
		"the file is a link":        func(dir, file, outside string) error { return os.Symlink(outside, file) },
		"the file leads nowhere":    func(dir, file, outside string) error { return os.Symlink(outside+".new", file) },
		"the file has another name": func(dir, file, outside string) error { return os.Link(outside, file) },
		"the file is a pipe":        func(dir, file, outside string) error { return syscall.Mkfifo(file, 0o600) },
		"the file is a directory":   func(dir, file, outside string) error { return os.Mkdir(file, 0o700) },
		"the full file is a link": func(dir, file, outside string) error {
			return errors.Join(os.Truncate(outside, maxRecords), os.Symlink(outside, file))
		},
	}
	if os.Geteuid() == 0 { // only root can give files away
		plants["the file is another user's"] = func(dir, file, outside string) error {
			return errors.Join(os.WriteFile(file, nil, 0o666), os.Chown(file, 12345, -1))
		}
		plants["all of it is another user's"] = func(dir, file, outside string) error {
			return errors.Join(os.Chmod(dir, 0o777), os.Chown(dir, 12345, -1))
		}
	}
	for name, plant := range plants {
		t.Run(name, func(t *testing.T) {
			project, outside := t.TempDir(), filepath.Join(t.TempDir(), "profile")
			dir := filepath.Join(project, protocol.StateDir)
			file := filepath.Join(dir, protocol.FailuresName)
			err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(outside, []byte("mine"), 0o600), plant(dir, file, outside))
			if err != nil {
				t.Fatal(err)
			}
			size := int64(len("mine"))
			if strings.Contains(name, "full") {
				size = maxRecords
			}
			var stderr bytes.Buffer
			record{Event: protocol.Stop, Reason: "no daemon"}.append(protocol.Place{Project: project}, &stderr)
			if said := stderr.String(); !strings.Contains(said, dir) || strings.Count(said, "\n") != 1 {
				t.Errorf("it says %q", said)
			}
			if info, err := os.Stat(outside); err != nil || info.Size() != size {
				t.Errorf("outside is %v, %v", info, err)
			}
			if entries, err := os.ReadDir(filepath.Dir(outside)); err != nil || len(entries) != 1 {
				t.Errorf("outside are %v, %v", entries, err)
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) > 1 {
				t.Errorf("in the state directory are %v, %v", entries, err)
			}
		})
	}
}
