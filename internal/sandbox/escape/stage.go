//go:build linux

package escape

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"tidepool/internal/sandbox/sandboxtest"
)

// somebody is the user that root tries a table as: one without a name and without files.
const somebody = 12321

// Users returns who can try a table: this user, and another one if this is root.
func Users() []int {
	if os.Geteuid() == 0 {
		return []int{0, somebody}
	}
	return []int{os.Geteuid()}
}

// A Place is who tries a table, and where. The zero Place is root.
type Place struct {
	Options
	User     int    // the uid to try as, one of [Users]
	Prepared []Step // what is done first, in namespaces of its own
}

// A Step changes the namespaces that a table is tried in.
type Step string

// The steps. Each is done in a user namespace and a mount namespace that are the place's own.
const (
	NoUserNamespaces Step = "no user namespaces" // as on machines that forbid them
	MaskedProc       Step = "masked /proc"       // as in containers: parts of it are covered
	NoSetgroups      Step = "no setgroups"       // as in a user namespace that a user has made
)

// A Stage has the program and the directories that tables are tried with. Close removes them.
type Stage struct {
	dir, run, try, table string
	confine              []string
}

// NewStage builds the programs try and table. It makes its directories where every user can reach them and a sandbox does not replace
// them: in /opt as root, else in the user's cache.
func NewStage(ctx context.Context) (*Stage, error) {
	parent, err := "/opt", error(nil)
	if os.Geteuid() != 0 {
		if parent, err = os.UserCacheDir(); err != nil {
			return nil, err
		}
	}
	return newStageIn(ctx, parent)
}

func newStageIn(ctx context.Context, parent string) (*Stage, error) {
	dir, err := os.MkdirTemp(parent, "tidepool-escape-")
	if err != nil {
		return nil, err
	}
	s := &Stage{dir: dir, run: dir, try: filepath.Join(dir, "try"), table: filepath.Join(dir, "table")}
	if err = s.fill(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Stage) fill(ctx context.Context) error {
	if err := os.Chmod(s.dir, 0o755); err != nil {
		return err
	}
	if run, err := os.MkdirTemp("/run", "tidepool-escape-"); err == nil {
		if s.run = run; os.Chmod(run, 0o755) != nil {
			return errors.New("cannot open " + run + " to others")
		}
	}
	var err error
	if s.confine, err = sandboxtest.Build(s.dir); err != nil {
		return err
	}
	if err := build(ctx, s.try, "try"); err != nil {
		return err
	}
	return build(ctx, s.table, "table")
}

// build builds a program of this package, static and without the race detector.
func build(ctx context.Context, to, name string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", to, "tidepool/internal/sandbox/escape/"+name)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w: %s", name, err, out)
	}
	return nil
}

// Close removes what NewStage has made.
func (s *Stage) Close() error {
	err := removeAll(s.dir)
	if s.run != s.dir {
		err = errors.Join(err, os.RemoveAll(s.run))
	}
	return err
}

// Try tries the table, in processes of its own: as many at once as there are processors, and as many again, since half of the time is
// spent on waiting. Each has worlds of its own and a share of the ways. The results come in no order. With an error Try returns what has
// been tried before.
func (s *Stage) Try(ctx context.Context, p Place) ([]Result, error) {
	n := min(2*runtime.NumCPU(), mostAtOnce)
	results, errs := make([][]Result, n), make([]error, n)
	var trying sync.WaitGroup
	for i := range n {
		trying.Go(func() {
			share := p
			share.Share = Share{Index: i, Of: n}
			results[i], errs[i] = s.tryShare(ctx, share)
		})
	}
	trying.Wait()
	return slices.Concat(results...), errors.Join(errs...)
}

// mostAtOnce bounds how many processes try a table: a row may take half a gigabyte.
const mostAtOnce = 8

// tryShare tries a share of the table in one process.
func (s *Stage) tryShare(ctx context.Context, p Place) (results []Result, err error) {
	if p.Dir, err = s.own(s.dir, p); err != nil {
		return nil, err
	}
	if p.Layout == InTmp {
		p.Dir, err = s.own("/tmp", p)
	}
	if err == nil {
		p.Run, err = s.own(s.run, p)
	}
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(p.Dir)
	cmd, out, err := s.start(ctx, p)
	if err != nil {
		return nil, err
	}
	for lines := json.NewDecoder(out); ; {
		var r Result
		if err = lines.Decode(&r); err != nil {
			break
		}
		results = append(results, r)
	}
	if ended := cmd.Wait(); ended != nil || err != io.EOF {
		return results, fmt.Errorf("trying the table: after %d ways: %w", len(results), errors.Join(ended, err))
	}
	return results, nil
}

// start starts the process that tries a share. Its caller reads the results and waits.
func (s *Stage) start(ctx context.Context, p Place) (*exec.Cmd, io.Reader, error) {
	p.Options.Try, p.Confine = s.try, s.confine
	request, err := json.Marshal(p)
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(ctx, s.table)
	cmd.Dir, cmd.Stdin, cmd.Stderr = "/", bytes.NewReader(request), os.Stderr
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C", "TMPDIR=/tmp"}
	cmd.SysProcAttr = p.attributes()
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	return cmd, out, cmd.Start()
}

// own makes a directory of the place's user.
func (s *Stage) own(parent string, p Place) (string, error) {
	dir, err := os.MkdirTemp(parent, "place-"+strconv.Itoa(p.User)+"-")
	if err == nil {
		err = errors.Join(os.Chmod(dir, 0o755), os.Chown(dir, p.User, p.User))
	}
	return dir, err
}

// attributes has the process be the place's user, with a user namespace of its own if something is prepared.
func (p Place) attributes() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL}
	if os.Geteuid() == 0 {
		a.Credential = &syscall.Credential{Uid: uint32(p.User), Gid: uint32(p.User)}
	}
	if len(p.Prepared) == 0 {
		return a
	}
	a.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: p.User, HostID: p.User, Size: 1}}
	a.GidMappings = a.UidMappings
	a.GidMappingsEnableSetgroups = os.Geteuid() == 0
	a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SYS_RESOURCE}
	return a
}

// Serve reads from in which share of a table to try as whom, tries it in this process, and writes each result to out as JSON. The program
// table does nothing else.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	var p Place
	if err := json.NewDecoder(in).Decode(&p); err != nil {
		return err
	}
	if err := prepare(p.Prepared); err != nil {
		return err
	}
	lines := json.NewEncoder(out)
	return table(ctx, p.Options, func(r Result) error { return lines.Encode(r) })
}
