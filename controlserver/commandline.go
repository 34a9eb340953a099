package main

import (
	"context"

	"github.com/alecthomas/kong"

	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/serve"
	"tidepool/protocol"
)

// A commandLine is what can be written after the program's name. Each command's Run does it.
type commandLine struct {
	Project string `help:"The project's directory. Default: the nearest one upwards that has a .tidepool, else the current one." placeholder:"DIR" type:"existingdir"`

	Init   command.Init   `cmd:"" help:"Set the project up for Claude Code: hooks, tools, and .tidepool."`
	Uninit command.Uninit `cmd:"" help:"Take out what init has put in."`
	Serve  command.Serve  `cmd:"" help:"Serve a project in the foreground until SIGTERM or Ctrl-C."`
	Trust  command.Trust  `cmd:"" help:"Trust the project, so that what it brings along may run."`
	Stop   command.Stop   `cmd:"" help:"End the daemon of a project and wait until it has ended."`
	Status command.Status `cmd:"" help:"Tell how the daemon of a project is."`
	Call   command.Call   `cmd:"" help:"Call a tool of the project's daemon."`
	Doctor command.Doctor `cmd:"" help:"Find out what does not work, and why."`
	Logs   command.Logs   `cmd:"" help:"Print the daemon's log, readably."`
	Policy command.Policy `cmd:"" help:"What the policy says about tool calls."`
	Config command.Config `cmd:"" help:"List all settings, their values, and where each came from."`

	ExportTraining command.ExportTraining `cmd:"" help:"Print examples to train a scorer with."`
	Questions      command.Questions      `cmd:"" help:"List what the user is asked."`
	Answer         command.Answer         `cmd:"" help:"Answer a question."`
	UI             command.UI             `cmd:"" name:"ui" help:"Show what the user is asked and what the daemon does, in a terminal."`
	Version        command.Version        `cmd:"" help:"Print the version."`
	RunTests       command.RunTests       `cmd:"" help:"Run tests in a sandbox, for a daemon." hidden:""`
}

// run does what the command line says.
func run(signals serve.Signals, args []string, std command.Stdio) error {
	var line commandLine
	helped := false
	parser, err := kong.New(&line,
		kong.Name("controlserver"),
		kong.Description("One warm daemon per project that answers Claude Code's hooks and tool calls."),
		kong.Writers(std.Out, std.Err),
		kong.Exit(func(int) { helped = true }),
		kong.BindToProvider(func() (protocol.Place, error) { return locate(line.Project) }),
		kong.BindTo(signals.Quit, (*context.Context)(nil)),
		kong.Bind(signals, std, command.Build(version)),
	)
	if err != nil {
		return err
	}
	chosen, err := parser.Parse(args)
	switch {
	case helped:
		return nil
	case err != nil:
		return &command.UsageError{Err: err}
	}
	return chosen.Run()
}
