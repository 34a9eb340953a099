package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/sandbox/confine"
	"tidepool/internal/state"
)

// A view says for each path what is mounted there. If a path is named twice, the stricter kind counts.
type view map[string]confine.Mount

// rank orders kinds: the later one counts.
func rank(kind confine.Kind) int {
	return slices.Index([]confine.Kind{confine.Room, confine.Show, confine.Guard, confine.Write, confine.Protect, confine.Hide}, kind)
}

func (v view) add(kind confine.Kind, path, from string) {
	if now, is := v[path]; !is || rank(kind) > rank(now.Kind) {
		v[path] = confine.Mount{Kind: kind, Path: path, From: from}
	}
}

// above returns the nearest mount above a path.
func (v view) above(path string) confine.Mount {
	for path != "/" {
		path = filepath.Dir(path)
		if m, is := v[path]; is {
			return m
		}
	}
	return confine.Mount{}
}

// sorted returns the mounts, parents before children. Trees that are shown anyway are left out, and hidden directories that have
// mounts below become rooms for them.
func (v view) sorted() []confine.Mount {
	hidden := func(m confine.Mount) bool { return m.Kind == confine.Hide || m.Kind == confine.Room }
	for path, m := range v {
		if m.Kind == confine.Show && !hidden(v.above(path)) {
			delete(v, path)
		}
	}
	for path, m := range v {
		if m.Kind != confine.Show && m.Kind != confine.Write {
			continue
		}
		for above := v.above(path); above.Path != ""; above = v.above(above.Path) {
			if above.Kind == confine.Hide {
				v[above.Path] = confine.Mount{Kind: confine.Room, Path: above.Path}
			}
		}
	}
	mounts := make([]confine.Mount, 0, len(v))
	for path, m := range v {
		if over := v.above(path); m.Kind == confine.Hide && hidden(over) { // it is hidden already
			continue
		}
		mounts = append(mounts, m)
	}
	slices.SortFunc(mounts, func(a, b confine.Mount) int {
		return strings.Compare(strings.ReplaceAll(a.Path, "/", "\x00"), strings.ReplaceAll(b.Path, "/", "\x00"))
	})
	return mounts
}

// plan makes the plan of a command.
func (s *Sandbox) plan(level Level, spec Spec, p places, guard *inventory) (*confine.Plan, error) {
	v := view{}
	s.hide(v)
	s.show(v, spec.Env)
	if err := s.write(v, p); err != nil {
		return nil, err
	}
	guard.mounts(v)
	plan := &confine.Plan{
		Version: confine.Version, Full: level == Full, Args: spec.Args, Dir: spec.Dir, Network: spec.Network,
		MemoryBytes: int64(spec.MemoryMB) << 20, Processes: spec.Processes,
	}
	tmp := "/tmp"
	if plan.Full {
		for _, socket := range visibleSockets() {
			v.add(confine.Hide, socket, "")
		}
		s.connect(v, &spec)
		plan.View = v.sorted()
		plan.Read, plan.Write = []string{"/"}, []string{"/dev", "/proc"}
		for _, m := range plan.View {
			if m.Kind == confine.Write {
				plan.Write = append(plan.Write, m.Path)
			}
		}
	} else {
		tmp = p.tmp
		plan.Read, plan.Write = v.rules(p)
	}
	plan.Env = s.environment(spec.Env, cacheVariables(p.cache, tmp))
	return plan, nil
}

// connect adds the command's own socket and its variables. It is shown in the directory of running programs' sockets, which is empty else.
func (s *Sandbox) connect(v view, spec *Spec) {
	if spec.Socket == nil || spec.Network || v[filepath.Dir(SocketPath)].Kind == "" {
		return
	}
	socket, ok := spec.Socket()
	if !ok {
		return
	}
	v[SocketPath] = confine.Mount{Kind: confine.Show, Path: SocketPath, From: socket.Path}
	spec.Env = slices.Concat(spec.Env, socket.Env)
}

// write adds what a command may write to.
func (s *Sandbox) write(v view, p places) error {
	tmp, err := resolve("/tmp")
	if err != nil {
		return err
	}
	for _, dir := range s.options.Write {
		path, err := resolve(dir)
		if err != nil { // it is not there
			continue
		}
		v.add(confine.Write, path, path)
	}
	v.add(confine.Write, s.project, s.project)
	v.add(confine.Write, tmp, p.tmp)
	v.add(confine.Hide, state.Of(s.project), "")
	v.add(confine.Write, p.cache, p.cache)
	return nil
}

// environment returns the variables of a command: those of the caller, some of them replaced. An empty replacement removes one.
func (s *Sandbox) environment(env []string, replace map[string]string) []string {
	kept := slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		_, is := replace[name]
		return is
	})
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name, value := range replace {
			if value != "" && !yield(name) {
				return
			}
		}
	}) {
		kept = append(kept, name+"="+replace[name])
	}
	if s.home != "" && !slices.ContainsFunc(kept, func(entry string) bool { return strings.HasPrefix(entry, "HOME=") }) {
		kept = append(kept, "HOME="+s.home)
	}
	return kept
}

// maxListed bounds how many entries of one directory get a rule of their own.
const maxListed = 10_000

// rules returns the trees of the view for Landlock, which only allows: a directory with something hidden in it is taken apart. What is
// hidden or protected below a tree that can be written to cannot be taken out of it.
func (v view) rules(p places) (read, write []string) {
	v.add(confine.Write, p.tmp, p.tmp)
	delete(v, "/tmp")
	v.add(confine.Hide, "/tmp", "")
	v.add(confine.Hide, "/dev/shm", "")
	var walk func(dir string)
	walk = func(dir string) {
		if m, is := v[dir]; is && m.Kind == confine.Hide || !v.splits(dir) {
			if !is || m.Kind != confine.Hide {
				read = append(read, dir)
			}
			return
		}
		list, err := os.Open(dir)
		if err != nil {
			return
		}
		defer list.Close()
		entries, _ := list.ReadDir(maxListed)
		for _, e := range entries {
			if path := filepath.Join(dir, e.Name()); e.Type()&os.ModeSymlink == 0 {
				walk(path)
			}
		}
	}
	walk("/")
	for path, m := range v {
		switch m.Kind {
		case confine.Show:
			walk(path)
		case confine.Write:
			write = append(write, path)
		}
	}
	return read, append(write, "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
}

// splits reports whether something below a directory is hidden.
func (v view) splits(dir string) bool {
	for path, m := range v {
		if m.Kind == confine.Hide && path != dir && within(path, dir) {
			return true
		}
	}
	return false
}
