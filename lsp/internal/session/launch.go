package session

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/process"
	"tidepool/lsp/internal/text"
)

// A Launch is what is known of a session before it begins.
type Launch struct {
	Language   *Language
	Path       string         // of the program
	Dir        string         // that it works in
	Roots      []string       // directories of the projects that it is to know
	Env        []string       // of the program, as KEY=value
	Trusted    bool           // what the project brings along may run
	Restraint  Restraint      // the zero one: none
	Memory     process.Memory // the zero one: nothing is told
	Grace      time.Duration  // how long a question waits for the turn of a client
	ErrorsKept int            // of one file
	NonASCII   *text.NonASCII
	Ledger     *process.Ledger
	Scratch    *process.Scratch // for temporary files
	Host       Host
}

// A Restraint is how a server runs so that it runs nothing that the project brings along.
type Restraint struct {
	Env      []string       // KEY=value, added to the program's environment
	Settings map[string]any // that stand over all others
	Held     string         // what does not run, for people: "build scripts"; "": the project brings nothing
	Lacks    string         // why answers are partial because of it; "": they lack nothing
}

// restrain has a session that is about to begin run as its restraint says.
func (s *Session) restrain() {
	s.Progress.lacks = s.Restraint.Lacks
	if s.Restraint.Settings != nil {
		restrained := *s.Language
		restrained.Settings = overlaid(s.Language.Settings, s.Restraint.Settings)
		s.Language = &restrained
	}
}

// overlaid returns the settings of base with those of over in their place. Neither is changed.
func overlaid(base, over map[string]any) map[string]any {
	all := maps.Clone(base)
	if all == nil {
		all = map[string]any{}
	}
	for name, value := range over {
		below, isBelow := all[name].(map[string]any)
		if deeper, ok := value.(map[string]any); ok && isBelow {
			value = overlaid(below, deeper)
		}
		all[name] = value
	}
	return all
}

// A Host is the workspace that a session serves. Its methods do not wait for the session.
type Host interface {
	// Sources are the source files of the language in all trees that the session serves, sorted, as of the last walk.
	Sources() []string
	// Links are the links to directories in these trees, as of the last walk.
	Links() []disk.Link
	// RootOf is the root that a source file belongs to, "" if to none.
	RootOf(path string) string
	// Covers says whether the server finds errors in a source file by itself. Only in a session for drafts.
	Covers(path string) bool
	// Words are the words of the tree that a file lies in; those of all trees for "".
	Words(near string) []Words
	// Relative returns a path as a person writes it who works in the tree that it lies in.
	Relative(path string) string
	// Owns says whether the user has put there all that lies in a directory, so that none of it came with a project.
	Owns(dir string) bool
	// Cover takes note of what the server knows of the project.
	Cover(known Coverage)
	// CaughtUp is called when the server has looked at everything that it was told.
	CaughtUp()
}

// Words are an index of words and the source files that it is of: those of one language in one tree.
type Words struct {
	Index *text.Index
	Files []string // sorted
}

// TemporaryDir returns where programs with an environment put temporary files.
func TemporaryDir(env []string) string {
	if dir := Getenv(env, "TMPDIR"); dir != "" {
		return dir
	}
	return os.TempDir()
}

// A temporary is the directory for the temporary files of one session; "": they lie where those of other programs do.
//
// Servers leave files behind. Measured: typescript-language-server 5.3 two directories, however it ends; pyright 1.1.414
// one when a signal ends it; clangd 14 its preambles, and gopls v0.23 the module or the go command that it is busy with,
// when it is killed.
type temporary string

// newTemporary makes the directory. A server whose directory cannot be made does without.
func newTemporary(in *process.Scratch) temporary {
	dir, err := in.Make()
	if err != nil {
		return ""
	}
	return temporary(dir)
}

// environ has a program use it: TMPDIR is read by all of them on Unix, TMP and TEMP by Node elsewhere.
func (t temporary) environ() []string {
	if t == "" {
		return nil
	}
	return []string{"TMPDIR=" + string(t), "TMP=" + string(t), "TEMP=" + string(t)}
}

// remove removes it when the server has ended. What a process of another group still writes there is removed with the
// project.
func (t temporary) remove() {
	if t != "" {
		os.RemoveAll(string(t))
	}
}

// Find returns the path of the program that serves the language: a path is taken as it is (relative ones from the root); a
// bare name is looked for in PATH of env, beside the running binary, and in the language's BinDirs, in this order. So a
// person's own version wins over the one that came with us, and a daemon started with a short PATH still finds what is
// installed. The error is a *MissingError.
func (l Language) Find(root string, env []string) (string, error) {
	name := l.Command[0]
	if strings.ContainsRune(name, filepath.Separator) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(root, name)
		}
		if executable(name) {
			return name, nil
		}
		return "", &MissingError{Language: l, Path: name}
	}
	for _, dir := range searchDirs(l, env) {
		path := filepath.Join(dir, name)
		if filepath.IsAbs(path) && executable(path) {
			return path, nil
		}
	}
	return "", &MissingError{Language: l}
}

func searchDirs(language Language, env []string) []string {
	get := func(key string) string { return Getenv(env, key) }
	dirs := filepath.SplitList(get("PATH"))
	if self, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Dir(self))
	}
	if language.BinDirs != nil {
		dirs = append(dirs, language.BinDirs(get)...)
	}
	return dirs
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (info.Mode()&0o111 != 0 || runtime.GOOS == "windows")
}

// Getenv reads a variable of env; like the system, the last one of a name counts.
func Getenv(env []string, key string) string {
	value := ""
	for _, entry := range env {
		if name, rest, found := strings.Cut(entry, "="); found && name == key {
			value = rest
		}
	}
	return value
}
