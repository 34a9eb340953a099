package clang

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A compileCommand is how a compiler is called for a file.
type compileCommand struct {
	Dir  string   `json:"workingDirectory"`
	Args []string `json:"compilationCommand"`
}

// A database is the compile commands that a tree brings along, by the path of their file.
type database struct {
	commands map[string]compileCommand
	sorted   []string // the paths
}

// readClangDatabase reads compile_commands.json files. Of several commands for a file the first counts. The error is for
// a person: which one cannot be read. The others count.
func readClangDatabase(paths []string) (database, error) {
	db := database{commands: map[string]compileCommand{}}
	var failed error
	for _, path := range paths {
		if err := db.add(path); err != nil && failed == nil {
			failed = fmt.Errorf("%s cannot be read: %w", path, err)
		}
	}
	for path := range db.commands {
		db.sorted = append(db.sorted, path)
	}
	slices.Sort(db.sorted)
	return db, failed
}

// databases returns the paths of all compile_commands.json of a tree: those in its roots and up to two directories
// below, where build systems put them. First comes what counts more: the one in the highest directory, and of several
// there the latest. Those that are written for clangd do not count.
func databases(roots []string) []string {
	var all []string
	for _, depth := range []string{"", "*", filepath.Join("*", "*")} {
		var found []string
		for _, root := range roots {
			here, _ := filepath.Glob(filepath.Join(root, depth, "compile_commands.json"))
			found = append(found, slices.DeleteFunc(here, func(path string) bool { return isOurs(root, path) })...)
		}
		slices.SortStableFunc(found, func(a, b string) int { return modified(b).Compare(modified(a)) })
		all = append(all, slices.DeleteFunc(found, func(path string) bool { return slices.Contains(all, path) })...)
	}
	return all
}

func (db database) add(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var entries []struct {
		Directory string
		File      string
		Command   string
		Arguments []string
	}
	if err := json.Unmarshal(data, &entries); err != nil {
		return err
	}
	for _, e := range entries {
		dir := within(filepath.Dir(path), e.Directory)
		args := e.Arguments
		if len(args) == 0 {
			args = words(e.Command)
		}
		file := within(dir, e.File)
		if _, known := db.commands[file]; !known && len(args) > 0 {
			db.commands[file] = compileCommand{Dir: dir, Args: args}
		}
	}
	return nil
}

// within returns a path below a directory unless it is absolute.
func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// words splits a command as a shell does.
func words(command string) []string {
	var words []string
	var word strings.Builder
	open, quote := false, byte(0)
	for at := 0; at < len(command); at++ {
		c := command[at]
		switch {
		case c == '\\' && quote != '\'' && at+1 < len(command):
			at++
			word.WriteByte(command[at])
			open = true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, open = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteByte(c)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words
}

// of returns the command of a file, or what is known of the file that lies nearest to it.
func (db database) of(path string) (command compileCommand, ok bool) {
	if command, ok = db.commands[path]; ok {
		return command, true
	}
	best, shared := "", -1
	for _, other := range db.sorted {
		if isCPP(other) != isCPP(path) {
			continue
		}
		if n := sharedDirs(other, path); n > shared {
			best, shared = other, n
		}
	}
	if best == "" {
		return compileCommand{}, false
	}
	return db.commands[best].with(best, path), true
}

func (c compileCommand) equal(other compileCommand) bool {
	return c.Dir == other.Dir && slices.Equal(c.Args, other.Args)
}

// with returns the command for another file.
func (c compileCommand) with(file, other string, before ...string) compileCommand {
	made := compileCommand{Dir: c.Dir}
	for i, arg := range c.Args {
		if i > 0 && within(c.Dir, arg) == file {
			continue
		}
		if i+1 < len(c.Args) && arg == "--" && within(c.Dir, c.Args[i+1]) == file {
			continue
		}
		made.Args = append(made.Args, arg)
	}
	made.Args = append(append(made.Args, before...), other)
	return made
}

// isCPP reports whether a file is taken for C++; a .h is not.
func isCPP(path string) bool { return languageID(path) == "cpp" }

// sharedDirs counts the directories at the start of two paths that are the same.
func sharedDirs(a, b string) int {
	n := 0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			break
		}
		if a[i] == filepath.Separator {
			n++
		}
	}
	return n
}

// flagFiles are the compile_flags.txt of a tree: the nearest one above a file is what counts for it.
type flagFiles struct {
	files []string            // all that were looked for
	flags map[string][]string // by directory, of those that there are
	root  string
}

func flagsFiles(root string, sources map[string]source) flagFiles {
	f := flagFiles{flags: map[string][]string{}, root: root}
	looked := map[string]bool{}
	for path := range sources {
		for dir := range dirsAbove(root, path) {
			if looked[dir] {
				break
			}
			looked[dir] = true
			f.read(dir)
		}
	}
	return f
}

func (f *flagFiles) read(dir string) {
	path := filepath.Join(dir, "compile_flags.txt")
	f.files = append(f.files, path)
	data, err := os.ReadFile(path)
	if err != nil {
		return
	}
	f.flags[dir] = []string{}
	for line := range strings.Lines(string(data)) {
		if flag := strings.TrimSpace(line); flag != "" {
			f.flags[dir] = append(f.flags[dir], flag)
		}
	}
}

// of returns the command that they give a file; false if there is none above it.
func (f flagFiles) of(path string) (command compileCommand, ok bool) {
	for dir := range dirsAbove(f.root, path) {
		if flags, ok := f.flags[dir]; ok {
			args := append([]string{driver(path)}, flags...)
			return compileCommand{Dir: dir, Args: append(args, path)}, true
		}
	}
	return compileCommand{}, false
}

// dirsAbove yields the directories that a file lies in, up to the root.
func dirsAbove(root, path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for dir := filepath.Dir(path); len(dir) >= len(root) && yield(dir) && dir != root; dir = filepath.Dir(dir) {
		}
	}
}

func driver(path string) string {
	if isCPP(path) {
		return "clang++"
	}
	return "clang"
}

// guess returns the command for a file of a project that brings none: what it includes is looked for in all directories
// where the project has something of that name, the nearest first.
func guess(root, path string, dirs []string) compileCommand {
	command := compileCommand{Dir: root, Args: []string{driver(path)}}
	if isCPP(path) {
		command.Args = append(command.Args, "-std=gnu++17")
	}
	near := slices.Clone(dirs)
	slices.SortStableFunc(near, func(a, b string) int { return sharedDirs(b+"/", path) - sharedDirs(a+"/", path) })
	for _, dir := range near[:min(len(near), guessedDirs)] {
		command.Args = append(command.Args, "-I"+dir)
	}
	command.Args = append(command.Args, path)
	return command
}

// guessedDirs bounds the directories of a guessed command.
const guessedDirs = 200
