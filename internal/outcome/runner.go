package outcome

import (
	"path"
	"slices"
	"strings"
)

// How targets of make and scripts of package.json are called.
var (
	testName  = pattern(`^(?:tests?|check|spec|e2e|unit)(?:$|[-_:./])|[-_:./]tests?$`)
	buildName = pattern(`^(?:all|build|compile|tsc|type-?check|types|dist)(?:$|[-_:./])`)
)

// A runner is a program that runs tests or a build.
type runner struct {
	kind    Kind
	program string
	read    func(lines []string) reading
}

// runnerOf returns the runner that a command's words are; false: it is none that is known.
func runnerOf(words []string) (runner, bool) {
	name, args := path.Base(words[0]), words[1:]
	sub := ""
	if i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "+") }); i >= 0 {
		sub = args[i]
	}
	switch {
	case helps(args):
		return runner{}, false
	case name == "go":
		return goRunner(sub, args)
	case name == "cargo":
		return cargoRunner(sub)
	case name == "make" || name == "gmake":
		return makeRunner(args)
	case name == "npm" || name == "pnpm" || name == "yarn" || name == "bun":
		return scriptRunner(name, args)
	case strings.HasPrefix(name, "python"):
		return pythonRunner(args)
	case name == "pytest" || name == "py.test":
		return runner{Test, "pytest", readPytest}, !slices.Contains(args, "--collect-only") && !slices.Contains(args, "--co")
	case name == "jest":
		return runner{Test, "jest", readJest}, !slices.Contains(args, "--listTests")
	case name == "vitest":
		return runner{Test, "vitest", readVitest}, sub != "list" && sub != "bench"
	case name == "node" && slices.Contains(args, "--test"):
		return runner{Test, "node --test", readNode}, true
	case name == "tsc":
		return runner{Build, "tsc", readTsc}, !slices.Contains(args, "--init") && !slices.Contains(args, "--showConfig")
	}
	return runner{}, false
}

// helps reports whether a program is only asked about itself.
func helps(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return a == "--help" || a == "--version" || a == "-h" })
}

func goRunner(sub string, args []string) (runner, bool) {
	switch sub {
	case "test":
		if slices.ContainsFunc(args, func(a string) bool {
			return a == "-list" || strings.HasPrefix(a, "-list=") || a == "-c" || a == "-n"
		}) {
			return runner{}, false
		}
		return runner{Test, "go test", readGoTest}, true
	case "build", "vet", "install":
		return runner{Build, "go " + sub, readGoBuild}, true
	}
	return runner{}, false
}

func cargoRunner(sub string) (runner, bool) {
	switch sub {
	case "test", "t":
		return runner{Test, "cargo test", readCargoTest}, true
	case "build", "b", "check", "c", "clippy":
		full := map[string]string{"b": "build", "c": "check"}[sub]
		if full == "" {
			full = sub
		}
		return runner{Build, "cargo " + full, readCargoBuild}, true
	}
	return runner{}, false
}

func pythonRunner(args []string) (runner, bool) {
	i := slices.Index(args, "-m")
	if i < 0 || i+1 >= len(args) {
		return runner{}, false
	}
	switch args[i+1] {
	case "pytest":
		return runner{Test, "pytest", readPytest}, !slices.Contains(args, "--collect-only") && !slices.Contains(args, "--co")
	case "unittest":
		return runner{Test, "unittest", readUnittest}, true
	}
	return runner{}, false
}

// scriptRunner judges a script of package.json by its name: what it runs is read from the output.
func scriptRunner(manager string, args []string) (runner, bool) {
	var words []string
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		switch a := args[i]; {
		case a == "--prefix" || a == "-C" || a == "--dir" || a == "--cwd" || a == "-w" || a == "--workspace" || a == "--filter" || a == "-F":
			i++
		case strings.HasPrefix(a, "-"):
		default:
			words = append(words, a)
		}
	}
	if len(words) > 1 && (words[0] == "run" || words[0] == "run-script" || words[0] == "workspace") {
		words = words[1:]
	} else if manager == "npm" && len(words) > 0 && words[0] != "test" && words[0] != "t" {
		return runner{}, false // npm install
	}
	if len(words) == 0 {
		return runner{}, false
	}
	name := words[0]
	if name == "t" {
		name = "test"
	}
	return named(manager+" run "+name, name, readScript)
}

// makeRunner judges make by its targets.
func makeRunner(args []string) (runner, bool) {
	var targets []string
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-C" || a == "-f" || a == "-I" || a == "-o" || a == "-W":
			i++
		case a == "-n" || a == "--dry-run" || a == "-q" || a == "-p":
			return runner{}, false
		case !strings.HasPrefix(a, "-") && !strings.Contains(a, "="):
			targets = append(targets, a)
		}
	}
	if len(targets) == 0 {
		return runner{Build, "make", readMake}, true
	}
	for _, target := range targets {
		if r, ok := named("make "+target, target, readMake); ok && r.kind == Test {
			return r, true
		}
	}
	return named("make "+targets[0], targets[0], readMake)
}

// named returns the runner of a script or a target whose name says what it is for.
func named(program, name string, read func([]string) reading) (runner, bool) {
	program = strings.Replace(program, " run test", " test", 1)
	switch {
	case testName().MatchString(name):
		return runner{Test, program, read}, true
	case buildName().MatchString(name):
		return runner{Build, program, read}, true
	}
	return runner{}, false
}
