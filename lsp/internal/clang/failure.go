package clang

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tidepool/lsp/internal/session"
)

// A failure is why a file did not compile, kept for the next session. To compile it once more is of no use unless what it is made of
// has changed, or what is found around the project. clangd itself does not do so either. In a project that was never configured
// nothing compiles, and each start would be as slow as the first: 80 s with ngspice (677,688 lines).
type failure struct {
	Why    string    `json:"why"`
	Record string    `json:"record"` // see index.record
	Around string    `json:"around"` // see surroundings.sum
	Seen   time.Time `json:"seen"`
}

// believed is how long a failure is believed at the most: around a project there is more than is looked at.
const believed = 24 * time.Hour

// holds reports whether the file would fail again, given what it and what is around it are like now. around "" is not known.
func (f failure) holds(record, around string, now time.Time) bool {
	return f.Record == record && around != "" && f.Around == around && now.Sub(f.Seen) < believed
}

// keepFailures takes note of which of the files that were read did not compile.
func (x *index) keepFailures(read map[string]bool) error {
	around := x.surroundings()
	for path := range read {
		why := x.failed[path]
		if why == "" || why == notRead || why == notTakenIn { // the latter two say nothing of the file
			delete(x.failures, path)
			continue
		}
		x.failures[path] = failure{Why: why, Record: x.record(path), Around: around.sum(x.plan, path), Seen: time.Now()}
	}
	return x.store.keepFailures(x.failures)
}

// surroundings are what the compiler may find outside of the sources, where their #includes are looked for.
type surroundings struct {
	program string
	system  []string // directories that it looks into without being told
	found   map[string]map[string]uint64
}

func (x *index) surroundings() surroundings {
	return surroundings{program: x.program, system: x.system, found: map[string]map[string]uint64{}}
}

// sum sums up what there is of all that a file includes, in all directories that it may be looked for in, and the server's program;
// "" if these directories, or what it includes, are not known.
func (s surroundings) sum(p plan, path string) string {
	command := p.commands[path]
	dirs, ok := searched(command)
	if !ok || strings.Contains(p.config, "CompileFlags") {
		return ""
	}
	dirs = append(dirs, s.system...)
	sum := checksum(fmt.Sprintf("%s %d", s.program, modified(s.program).UnixNano()))
	spelled := map[string]bool{}
	for file := range p.includes.closure(path) {
		if len(p.sources[file].computed) > 0 { // by a macro it may include anything
			return ""
		}
		for _, name := range p.sources[file].includes {
			sum += s.at(filepath.Dir(file), name)
			spelled[name] = true
		}
	}
	for name := range spelled {
		for _, dir := range dirs {
			sum += s.at(dir, name)
		}
	}
	return fmt.Sprintf("%016x", sum)
}

// at sums up the file of a name in a directory; 0 if there is none.
func (s surroundings) at(dir, name string) uint64 {
	if filepath.IsAbs(name) {
		dir = ""
	}
	sum, known := s.found[dir][name]
	if known {
		return sum
	}
	path := filepath.Join(dir, name)
	if info, err := os.Stat(path); err == nil {
		sum = checksum(fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano()))
	}
	if s.found[dir] == nil {
		s.found[dir] = map[string]uint64{}
	}
	s.found[dir][name] = sum
	return sum
}

// searched returns the directories that a command has the compiler look for #includes in; false if it may name more in a file of
// flags.
func searched(command compileCommand) (dirs []string, ok bool) {
	flags := []string{"-isystem", "-iquote", "-idirafter", "-I", "/I"}
	for i, arg := range command.Args {
		if strings.HasPrefix(arg, "@") {
			return nil, false
		}
		flag := slices.IndexFunc(flags, func(flag string) bool { return strings.HasPrefix(arg, flag) })
		if flag < 0 {
			continue
		}
		dir := strings.TrimPrefix(arg, flags[flag])
		if dir == "" && i+1 < len(command.Args) {
			dir = command.Args[i+1]
		}
		dirs = append(dirs, within(command.Dir, dir))
	}
	return dirs, true
}

// systemDirs returns where compilers look for headers without being told, on Linux and macOS.
func systemDirs(env []string) []string {
	var dirs []string
	for _, variable := range []string{"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"} {
		dirs = append(dirs, filepath.SplitList(session.Getenv(env, variable))...)
	}
	for _, pattern := range []string{
		"/usr/local/include", "/usr/include", "/usr/include/*-linux-*", "/usr/include/c++/*", "/opt/homebrew/include",
		"/Library/Developer/CommandLineTools/SDKs/MacOSX.sdk/usr/include",
	} {
		found, _ := filepath.Glob(pattern) // the patterns are well formed
		dirs = append(dirs, found...)
	}
	return dirs
}

func (d store) failureFile() string { return filepath.Join(d.dir, "failed.json") }

// failures returns those that were kept, by path.
func (d store) failures() map[string]failure {
	var kept map[string]failure
	data, err := d.read(d.failureFile(), maxRead)
	if err != nil || json.Unmarshal(data, &kept) != nil || kept == nil {
		return map[string]failure{}
	}
	return kept
}

func (d store) keepFailures(failures map[string]failure) error {
	data, err := json.Marshal(failures)
	if err != nil {
		return err
	}
	return d.replace(d.failureFile(), data)
}
