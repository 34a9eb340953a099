package shell

import (
	"os"
	"strconv"
	"sync"
)

// FollowArg is the argument with which this program passes on the output of processes that a line has left. The number of pipes
// comes behind it.
const FollowArg = "--follow"

// leaveTo starts a process that passes on what still comes from pipes. It ends when nobody can write to them any more, and is not
// waited for: it outlives this process.
func (s *Shell) leaveTo(open []*pipe) error {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer null.Close()
	files := []*os.File{null, null, null}
	for _, p := range open {
		files = append(files, p.read, p.out)
		defer p.read.Close()
	}
	process, err := os.StartProcess(s.Agent, []string{s.Agent, "shell", FollowArg, strconv.Itoa(len(open))}, &os.ProcAttr{Env: s.Environ, Files: files})
	if err != nil {
		return err
	}
	return process.Release()
}

// Follow passes on the output of pairs of descriptors from 3 on, a pipe and where it goes, until the pipes end. Without the daemon the
// fail mode decides, as in Run, and nobody is there to be told.
func (s *Shell) Follow(pairs []*os.File) Ending {
	var all sync.WaitGroup
	for i := 0; i+1 < len(pairs); i += 2 {
		p := &pipe{read: pairs[i], out: pairs[i+1], done: make(chan bool, 1)}
		p.scrubber = &scrubber{shell: s}
		if s.Fingerprints != nil {
			p.scrubber.prints, _ = s.Fingerprints()
		}
		all.Go(func() {
			p.copy()
			p.scrubber.close()
		})
	}
	all.Wait()
	return Ending{}
}
