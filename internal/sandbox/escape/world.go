//go:build linux

package escape

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"tidepool/internal/sandbox"
)

// A world is what a command must leave alone, and the project that it works in:
//
//	home/              the user's home, with credentials and programs
//	home/src/project/  the project: a repository with a nested one, a submodule, a worktree
//	home/src/other/    a neighbour
//	outside/           files, sockets and a program that tells that it ran
//	spool/             jobs of the user
//
// Its owner calls reset before each try and close at the end.
type world struct {
	dir       string // absolute
	place     Layout
	times     bool   // files of the project must keep their times, too: at partial they are put back, and have others
	program   string // of package try
	run       string // a directory like /run, for a socket; outside of dir
	tmp       string // a directory below /tmp, for a socket
	token     string // in the name of everything that is not below dir
	secrets   map[string][]string
	sockets   *listeners
	other     *victim
	shared    *kernelObjects
	before    snapshot
	backup    backup
	inherited int // a descriptor of outside/ that children inherit; -1: none
}

// newWorld builds a world below dir, which must not exist, and keeps a copy of it.
func newWorld(ctx context.Context, dir string, o Options) (*world, error) {
	w := &world{dir: dir, place: o.Layout, times: o.Level == sandbox.Full, program: o.Try, run: o.Run, token: secret(), secrets: map[string][]string{}, inherited: -1}
	w.secrets["environment"] = []string{os.Getenv(secretVariable)}
	if err := w.build(ctx); err != nil {
		return nil, err
	}
	err := copyTree(ctx, o.Try, filepath.Join(w.project(), "attempt")) // a sandbox may hide all that is not in the project
	if err == nil {
		w.backup = backup{kept: dir + ".kept", tree: dir}
		err = copyTree(ctx, dir, w.backup.kept)
	}
	if err != nil {
		return nil, err
	}
	if w.tmp, err = os.MkdirTemp("/tmp", "tidepool-escape-"); err != nil {
		return nil, err
	}
	w.shared, err = newKernelObjects(w)
	return w, err
}

func (w *world) home() string    { return filepath.Join(w.dir, "home") }
func (w *world) outside() string { return filepath.Join(w.dir, "outside") }
func (w *world) project() string { return filepath.Join(w.dir, "home", "src", "project") }

// entrance is the path by which the project is named to the sandbox.
func (w *world) entrance() string {
	if w.place == Linked {
		return filepath.Join(w.home(), "src", "link")
	}
	return w.project()
}

// harmed returns the breach of the process outside. It ends that process and starts another for the next run.
func (w *world) harmed() ([]Breach, error) {
	harmed := w.other.harmed()
	w.other.end()
	var err error
	if w.other, err = startVictim(w); err != nil || !harmed {
		return nil, err
	}
	return []Breach{harms}, nil
}

// secret returns 32 random characters.
func secret() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// hide makes a secret of this name and returns it.
func (w *world) hide(name string) string {
	s := secret()
	w.secrets[name] = append(w.secrets[name], s)
	return s
}

// reset makes the world what it was, but for paths of the project that a row wants to miss.
func (w *world) reset(without []string) error {
	if err := w.end(); err != nil {
		return err
	}
	if err := w.backup.restore(); err != nil {
		return fmt.Errorf("restoring %s: %w", w.dir, err)
	}
	for _, path := range without {
		if err := os.RemoveAll(filepath.Join(w.project(), path)); err != nil {
			return err
		}
	}
	var err error
	if w.sockets, err = listen(w); err != nil {
		return err
	}
	if w.other, err = startVictim(w); err != nil {
		return err
	}
	if w.inherited, err = unix.Open(w.outside(), unix.O_RDONLY|unix.O_DIRECTORY, 0); err != nil {
		return err
	}
	w.before, err = w.look()
	return err
}

// end ends the processes and listeners of a world.
func (w *world) end() error {
	var errs []error
	if w.sockets != nil {
		w.sockets.close()
	}
	if w.other != nil {
		w.other.end()
	}
	if w.inherited >= 0 {
		errs = append(errs, unix.Close(w.inherited))
	}
	w.sockets, w.other, w.inherited = nil, nil, -1
	return errors.Join(append(errs, endMarked(w.token))...)
}

// close ends what runs and removes all.
func (w *world) close() error {
	err := w.end()
	if w.shared != nil {
		err = errors.Join(err, w.shared.close())
	}
	return errors.Join(err, removeAll(w.dir), removeAll(w.dir+".kept"), os.RemoveAll(w.tmp))
}

// variables returns what lines may name. confined: as the sandbox gives it; else also what only matters outside.
func (w *world) variables(confined bool) []string {
	first := strconv.Itoa(w.other.cmd.Process.Pid) // outside, another process stands for the sandbox's first one
	if confined {
		first = "1"
	}
	v := map[string]string{
		"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": w.home(), "LANG": "C", "WORLD": w.dir, "OUT": w.outside(), "PROJECT": w.project(),
		"OTHER": filepath.Join(w.home(), "src", "other"), "SPOOL": filepath.Join(w.dir, "spool"), "TRY": filepath.Join(w.project(), "attempt"),
		"CANARY": filepath.Join(w.outside(), "canary"), "INIT": first, "VICTIM": strconv.Itoa(w.other.cmd.Process.Pid), "ADDR": w.other.address,
		"FD": w.other.fd, "HANDLE": handleOf(filepath.Join(w.home(), ".ssh/id_ed25519")), "KEY": w.token, "SHM": strconv.Itoa(w.shared.number),
		"MQ": w.token, "ABSTRACT": w.token, "SLEEP": "3600." + decimal(w.token), "DISK": disk(), "ADDRESS": w.sockets.address,
		"TCP4": w.sockets.port("tcp4"), "TCP6": w.sockets.port("tcp6"), "UDP": w.sockets.port("udp"),
		"TMPSOCKET": filepath.Join(w.tmp, "s"), "RUNSOCKET": filepath.Join(w.run, "s"), mark: w.token,
	}
	if !confined {
		v["GOCACHE"] = filepath.Join(w.home(), ".cache", "go-build")
	}
	var list []string
	for name, value := range v {
		list = append(list, name+"="+value)
	}
	return list
}

// handleOf returns a file's handle as package try reads it; "": the filesystem has none.
func handleOf(path string) string {
	h, _, err := unix.NameToHandleAt(unix.AT_FDCWD, path, 0)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d:%x", h.Type(), h.Bytes())
}

// disk returns the path of a disk of the machine; "": there is none.
func disk() string {
	found, err := filepath.Glob("/sys/class/block/[a-z]d[a-z]")
	if err != nil || len(found) == 0 {
		return ""
	}
	return "/dev/" + filepath.Base(found[0])
}

// decimal returns the digits of a number made of a token.
func decimal(token string) string {
	return strings.Map(func(r rune) rune { return '0' + r%10 }, token[:9])
}

// copyTree copies a tree with modes, times, owners and links.
func copyTree(ctx context.Context, from, to string) error {
	if out, err := exec.CommandContext(ctx, "cp", "-a", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("copying %s: %w: %s", from, err, out)
	}
	return nil
}

// removeAll removes a tree, and in it directories that a command has closed to its user.
func removeAll(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	_ = exec.Command("chmod", "-R", "u+rwx", dir).Run() // what remains is told by the next line
	return os.RemoveAll(dir)
}
