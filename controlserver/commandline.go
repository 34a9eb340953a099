package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"

	"tidepool/controlserver/internal/cmddoc"
	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/conversations"
	"tidepool/controlserver/internal/initialize"
	"tidepool/controlserver/internal/memories"
	"tidepool/controlserver/internal/serve"
	"tidepool/controlserver/internal/upgrade"
	"tidepool/protocol"
)

// A commandLine is what can be written after the program's name. Each command's Run does it.
type commandLine struct {
	PrintVersion kong.VersionFlag `name:"version" help:"Print the version."`

	Project string `help:"The project's directory. Default: the nearest parent with a .tidepool, else the current directory." placeholder:"DIR" type:"existingdir"`

	Init   initialize.Init   `cmd:"" help:"Set the project up for Claude Code: hooks, tools, and .tidepool."`
	Uninit initialize.Uninit `cmd:"" help:"Undo init."`
	Serve  command.Serve     `cmd:"" help:"Serve a project in the foreground until SIGTERM or Ctrl-C."`
	Trust  command.Trust     `cmd:"" help:"Allow what the project brings along to run."`
	Stop   command.Stop      `cmd:"" help:"Stop the project's daemon and wait for its end."`
	Status command.Status    `cmd:"" help:"Show the state of the project's daemon."`
	URL    command.URL       `cmd:"" name:"url" help:"Print the URL of the daemon's loopback port, with its token."`
	Call   command.Call      `cmd:"" help:"Call a tool of the project's daemon."`
	Scout  command.Scout     `cmd:"" help:"Ask what a change breaks, or what a question touches."`
	Doctor command.Doctor    `cmd:"" help:"Show what does not work, and why."`
	Logs   command.Logs      `cmd:"" help:"Print the daemon's log, readably."`
	Policy command.Policy    `cmd:"" help:"Show the policy rules, and test them."`
	Audit  command.Audit     `cmd:"" help:"Show what the safe tools did, and check that nobody has changed it."`
	Tools  command.Tools     `cmd:"" help:"List the tools that a model has, and describe one."`
	Config command.Config    `cmd:"" help:"List all settings with their values and sources."`

	ExportTraining  command.ExportTraining      `cmd:"" help:"Print examples to train a scorer with."`
	Questions       command.Questions           `cmd:"" help:"List the open questions."`
	Answer          command.Answer              `cmd:"" help:"Answer a question."`
	UI              command.UI                  `cmd:"" name:"ui" help:"Show the open questions and what the daemon does, in a terminal."`
	Search          conversations.Search        `cmd:"" help:"Find what was said in old conversations."`
	Conversations   conversations.Conversations `cmd:"" help:"Find, read, resume, export and forget old conversations."`
	Memory          memories.Memories           `cmd:"" help:"Find, save, show, forget and back up what is remembered, and say why a prompt is told what."`
	Upgrade         upgrade.Upgrade             `cmd:"" help:"Replace both programs by those of a release, where they are."`
	Completion      cmddoc.Completion           `cmd:"" help:"Print the completion of the command line for a shell."`
	ManualPage      cmddoc.ManualPage           `cmd:"" help:"Print the manual page of a program." hidden:""`
	Version         command.Version             `cmd:"" help:"Print the version."`
	AnalysePackages command.AnalysePackages     `cmd:"" help:"Type-check Go packages, for a daemon." hidden:""`
	RunTests        command.RunTests            `cmd:"" help:"Run tests in a sandbox, for a daemon." hidden:""`
	Sandbox         command.Sandbox             `cmd:"" help:"Confine a command, for a daemon." hidden:""`
}

// calledAs returns the name by which a person has called this program: agent hands most of its commands over.
func calledAs(argument string) string {
	if filepath.Base(argument) == "agent" {
		return "agent"
	}
	return "controlserver"
}

// run does what the command line says.
func run(signals serve.Signals, args []string, std command.Stdio) error {
	var line commandLine
	helped := false
	parser, err := kong.New(&line,
		kong.Name(calledAs(os.Args[0])),
		kong.Vars{"version": protocol.DescribeBuild("controlserver", version, commit)},
		kong.Description("One warm daemon per project that answers Claude Code's hooks and tool calls."),
		kong.Writers(std.Out, std.Err),
		kong.Exit(func(int) { helped = true }),
		kong.BindToProvider(func() (protocol.Place, error) { return locate(line.Project) }),
		kong.BindToProvider(func() (initialize.Root, error) { return locateRoot(line.Project) }),
		kong.BindTo(signals.Quit, (*context.Context)(nil)),
		kong.Bind(signals, std, command.Build{Version: version, Commit: commit}),
	)
	if err != nil {
		return err
	}
	chosen, err := parser.Parse(args)
	switch {
	case helped:
		return nil
	case err != nil:
		return misread(err)
	}
	return chosen.Run()
}
