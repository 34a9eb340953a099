package extract

import (
	"slices"
	"strings"

	"tidepool/internal/outcome"
	"tidepool/internal/shell"
	"tidepool/internal/wording"
)

// A run is what one use of a shell came to: its main command, and whether that failed.
type run struct {
	key
	text   string // the command as it is named in a memory
	failed bool
	first  string         // the first line that says why
	result outcome.Result // of a test or a build; zero: it is none
}

// A key is what a command is about: two runs of the same key tell whether something was repaired.
type key struct {
	program string
	args    string // the subcommand and what it works on, without options
	filter  string // which tests of those
}

// maxKey is how many bytes a key may have.
const maxKey = 500

// covers reports whether a success of k shows that a failure of f is over.
func (k key) covers(f key) bool {
	return k.program == f.program && k.args == f.args && (k.filter == "" || k.filter == f.filter)
}

// runOf reads the use of a shell; false: it does not tell how one certain command ended.
func runOf(use ToolUse) (run, bool) {
	commands, err := shell.Parse(use.Command)
	if err != nil {
		return run{}, false
	}
	result := outcome.Of(use.Command, use.Output, use.Exit, use.Failed)
	main, ok := mainOf(commands, result)
	if !ok || main.Apart {
		return run{}, false
	}
	k := keyOf(main.Words)
	if len(k.program)+len(k.args)+len(k.filter) > maxKey {
		return run{}, false // a text that is passed as an argument
	}
	r := run{key: k, text: wording.Line(strings.Join(main.Words, " "), maxCommand), result: result}
	switch {
	case result.Kind != "" && !result.Known:
		return run{}, false
	case result.Kind != "":
		r.failed, r.first = !result.Passed, result.First
	case explores(main.Words):
		return run{}, false
	case !use.Failed && main.IfZero:
	case use.Failed && main.IfNot && use.Exit > 0 && use.Exit < 124:
		r.failed, r.first = true, outcome.FirstError(use.Output)
	default:
		return run{}, false
	}
	return r, !r.failed || r.first != ""
}

// mainOf returns the command that a line is about: the only one besides those that prepare and show, or the one that runs the tests
// or the build whose result is known.
func mainOf(commands []shell.Command, result outcome.Result) (shell.Command, bool) {
	var mains []shell.Command
	for _, c := range commands {
		if !prepares(c.Words[0]) {
			mains = append(mains, c)
		}
	}
	if len(mains) == 1 {
		return mains[0], true
	}
	if result.Known {
		program := strings.Fields(result.Program)
		for _, c := range slices.Backward(mains) {
			if c.Words[0] == program[0] && (len(program) == 1 || slices.Contains(c.Words, program[len(program)-1])) {
				return c, true
			}
		}
	}
	return shell.Command{}, false
}

// prepares reports whether a program is in a line only to prepare another or to show what it printed.
func prepares(program string) bool {
	switch program {
	case "cd", "pushd", "popd", "export", "set", "source", ".", "echo", "printf", "true", ":", "sleep", "mkdir", "unset", "ulimit", "umask", "exit", "date", "pwd",
		"tail", "head", "grep", "egrep", "rg", "tee", "cat", "wc", "sort", "uniq", "cut", "tr", "sed", "awk", "less", "xargs", "jq", "column", "ts", "test", "[", "rm", "ls", "touch":
		return true
	}
	return false
}

// explores reports whether a command looks around, so that its failure says nothing.
func explores(words []string) bool {
	switch words[0] {
	case "find", "fd", "which", "whereis", "type", "diff", "cmp", "stat", "file", "ps", "pgrep", "pkill", "kill", "killall", "lsof", "man", "tree", "env", "strings", "nm", "false", "ping", "cp", "mv", "ln", "wait", "seq", "bash", "sh", "zsh", "eval":
		return true
	case "git":
		return !slices.ContainsFunc(words[1:], func(w string) bool {
			return among(" push pull clone fetch submodule worktree rebase am apply bisect lfs ", w)
		})
	case "python", "python3", "node", "perl", "ruby", "deno", "bun":
		return slices.ContainsFunc(words[1:], func(w string) bool { return w == "-c" || w == "-e" || w == "-p" || w == "-" }) || len(words) == 1
	}
	return slices.Contains(words, "--help") || slices.Contains(words, "--version") || words[len(words)-1] == "-h"
}

// keyOf returns what a command is about.
func keyOf(words []string) key {
	k := key{program: words[0]}
	var args, filters []string
	options := valued(words[0])
	for i := 1; i < len(words); i++ {
		word := words[i]
		name, value, joined := strings.Cut(word, "=")
		switch {
		case !strings.HasPrefix(word, "-") || word == "-":
			args = append(args, word)
		case selects(words[0], name) && joined:
			filters = append(filters, value)
		case selects(words[0], name) && i+1 < len(words):
			i++
			filters = append(filters, words[i])
		case !joined && among(options, word) && i+1 < len(words):
			i++
		}
	}
	k.args, k.filter = strings.Join(args, " "), strings.Join(filters, " ")
	return k
}

// selects reports whether an option of a test runner chooses which tests run.
func selects(program, option string) bool {
	return among(map[string]string{
		"go": " -run -skip -bench -fuzz ", "pytest": " -k -m ", "python": " -k ", "python3": " -k ", "jest": " -t --testNamePattern ", "vitest": " -t --testNamePattern ", "cargo": " --test --bin --example ",
		"node": " --test-name-pattern ",
	}[program], option)
}

// valued returns the options of a program, between blanks, whose value is the next word and does not matter.
func valued(program string) string {
	return map[string]string{
		"go":     " -count -timeout -cpu -parallel -p -tags -coverprofile -coverpkg -benchtime -o -exec -ldflags -gcflags -shuffle -vettool ",
		"pytest": " -n -p -c -o --tb --maxfail --timeout --durations --cov ",
		"cargo":  " -j --features --target --profile --jobs ",
		"make":   " -j ", "npm": " --prefix ", "docker": " -t -f --platform ", "psql": " -c ", "curl": " -o -w -m ",
	}[program]
}
