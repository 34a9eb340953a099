package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// path returns the value of PATH by which Claude Code finds programs, and whose it is. Settings may set it: Claude Code takes their
// member env for its environment, and hooks and servers inherit that.
func (o Options) path() (value, whose string) {
	for _, s := range []site{o.localSite(), o.projectSite(), o.userSite()} {
		doc := s.document()
		if doc == nil {
			continue
		}
		env, err := doc.outermost().objectIn("env")
		if env == nil || err != nil {
			continue
		}
		if value := env.text("PATH"); value != "" {
			return value, "the PATH of env in " + s.path
		}
	}
	if o.PathOf != "" {
		return o.Path, o.PathOf
	}
	return o.Path, "this terminal's PATH"
}

// lookUp returns the program that the agent's name alone starts, "" if there is none. Directories that are relative depend on where
// somebody is, and do not count.
func lookUp(path string) string {
	for _, dir := range filepath.SplitList(path) {
		if found := filepath.Join(dir, program); filepath.IsAbs(dir) && runnable(found) == nil {
			return found
		}
	}
	return ""
}

// onPath looks whether the agent's name starts the agent. byName tells that an entry of Claude Code's needs that.
func (o Options) onPath(byName bool) Finding {
	const what = "agent is found by its name"
	value, whose := o.path()
	dir := filepath.Dir(o.Agent)
	found := lookUp(value)
	switch {
	case runnable(o.Agent) != nil:
		return Finding{Name: "PATH", What: o.Agent, Problem: "there is no such program", Fix: "install both programs again, into one directory: run install.sh of a release"}
	case found != "" && isSame(found, o.Agent):
		return Finding{Name: "PATH", What: what, OK: true}
	case found != "":
		return Finding{Name: "PATH", What: found + " comes first on " + whose, Problem: "that is another program than " + o.Agent,
			Fix: fmt.Sprintf("put %s before %s there, or remove the other one; or run `%s init --local`, whose files name the agent by its path", quote(dir), quote(filepath.Dir(found)), quote(o.Agent))}
	case !byName:
		return Finding{Name: "PATH", What: fmt.Sprintf("%s is not on %s: type its path, or %s", dir, whose, o.addToPath(value)), OK: true}
	}
	return Finding{Name: "PATH", What: dir + " is not on " + whose, Problem: "Claude Code does not find the agent that the project's files name, and passes over that in silence",
		Fix: fmt.Sprintf("%s; or run `%s init --local`, whose files name the agent by its path", o.addToPath(value), quote(o.Agent))}
}

// addToPath says how the agent comes onto a PATH.
func (o Options) addToPath(value string) string {
	if o.PathOf == "" {
		for _, place := range filepath.SplitList(value) {
			if o.isOwnDir(place) {
				return fmt.Sprintf("run: ln -s %s %s", quote(o.Agent), quote(filepath.Join(place, program)))
			}
		}
	}
	dir := filepath.Dir(o.Agent)
	return fmt.Sprintf("put %s on it (export PATH=%s:\"$PATH\" in the start-up file of your shell), then start the terminal and Claude Code anew", dir, quote(dir))
}

// isOwnDir reports whether a directory of PATH is one below the home in which the user may put a link.
func (o Options) isOwnDir(dir string) bool {
	below, err := filepath.Rel(o.Home, dir)
	if err != nil || !filepath.IsAbs(dir) || o.Home == "" || dir == filepath.Dir(o.Agent) || !filepath.IsLocal(below) {
		return false
	}
	if _, err := os.Lstat(filepath.Join(dir, program)); err == nil {
		return false
	}
	const write = 2 // W_OK of access(2)
	return syscall.Access(dir, write) == nil
}

// isSame reports whether two paths lead to one file.
func isSame(a, b string) bool {
	first, err := os.Stat(a)
	second, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(first, second)
}
