package main

import (
	"github.com/alecthomas/kong"

	"tidepool/protocol"
)

// A commandLine is what can be written after the program's name. Each command's Run does it.
type commandLine struct {
	Project string `help:"The project's directory. Default: the nearest one upwards that has a .tidepool, else the current one." placeholder:"DIR" type:"existingdir"`

	Init   initCommand   `cmd:"" help:"Set the project up for Claude Code: hooks, tools, and .tidepool."`
	Uninit uninitCommand `cmd:"" help:"Take out what init has put in."`
	Serve  serveCommand  `cmd:"" help:"Serve a project in the foreground until SIGTERM or Ctrl-C."`
	Trust  trustCommand  `cmd:"" help:"Trust the project, so that what it brings along may run."`
	Stop   stopCommand   `cmd:"" help:"End the daemon of a project and wait until it has ended."`
	Status statusCommand `cmd:"" help:"Tell how the daemon of a project is."`
	Call   callCommand   `cmd:"" help:"Call a tool of the project's daemon."`
	Doctor doctorCommand `cmd:"" help:"Find out what does not work, and why."`
	Logs   logsCommand   `cmd:"" help:"Print the daemon's log, readably."`
	Policy policyCommand `cmd:"" help:"What the policy says about tool calls."`
	Config configCommand `cmd:"" help:"List all settings, their values, and where each came from."`

	ExportTraining exportTrainingCommand `cmd:"" help:"Print examples to train a scorer with."`
	Questions      questionsCommand      `cmd:"" help:"List what the user is asked."`
	Answer         answerCommand         `cmd:"" help:"Answer a question."`
	UI             uiCommand             `cmd:"" name:"ui" help:"Show what the user is asked and what the daemon does, in a terminal."`
	Version        versionCommand        `cmd:"" help:"Print the version."`
	RunTests       runTestsCommand       `cmd:"" help:"Run tests in a sandbox, for a daemon." hidden:""`
}

// run does what the command line says.
func run(life lifetime, args []string, std stdio) error {
	var line commandLine
	helped := false
	parser, err := kong.New(&line,
		kong.Name("controlserver"),
		kong.Description("One warm daemon per project that answers Claude Code's hooks and tool calls."),
		kong.Writers(std.out, std.err),
		kong.Exit(func(int) { helped = true }),
		kong.BindToProvider(func() (protocol.Place, error) { return locate(line.Project) }),
		kong.Bind(life, std),
	)
	if err != nil {
		return err
	}
	command, err := parser.Parse(args)
	switch {
	case helped:
		return nil
	case err != nil:
		return &usageError{err}
	}
	return command.Run()
}

// A usageError says that the command line could not be understood.
type usageError struct{ error }

// Hint says where all commands and flags are listed.
func (*usageError) Hint() string { return "controlserver --help lists the commands and their flags" }
