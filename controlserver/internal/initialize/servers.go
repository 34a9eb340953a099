package initialize

import (
	"context"
	"errors"
	"fmt"
	"os"

	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/serve"
	"tidepool/internal/install"
	"tidepool/internal/logging"
	"tidepool/internal/wording"
	"tidepool/lsp"
	"tidepool/protocol"
)

// A language is one that the project has.
type language struct {
	lsp.Language
	files int
	path  string // of its server's program; "": it is missing
	err   error  // why it is missing
	held  error  // why init cannot install it; nil: it can, or there is nothing to install
}

// line returns the command that installs the server; "" if it is there, or a person has configured another program.
func (l language) line() install.Line {
	if l.err == nil {
		return ""
	}
	return install.Line(l.Install)
}

// servers is what the languages of a project need.
type servers struct {
	place     protocol.Place
	installer install.Installer
	languages []language
}

// serversOf finds the languages of a project and their servers.
func serversOf(ctx context.Context, place protocol.Place) *servers {
	table := lsp.Languages()
	if settings, err := serve.LoadConfig(place, nil); err == nil { // agent doctor tells what is wrong with the settings
		table = serve.Languages(table, settings.Languages)
	}
	s := &servers{place: place, installer: install.Installer{Project: place.Project, Env: os.Environ()}}
	files := lsp.Inventory(place.Project, table)
	for _, l := range table {
		if files[l.ID] == 0 {
			continue
		}
		found := language{Language: l, files: files[l.ID]}
		if found.path, found.err = l.Find(place.Project, os.Environ()); found.line() != "" {
			found.held = s.installer.Check(ctx, found.line())
		}
		s.languages = append(s.languages, found)
	}
	return s
}

// print lists the languages.
func (s *servers) print(std command.Stdio) {
	for _, l := range s.languages {
		text := fmt.Sprintf("%s, %s: %s", l.Name, wording.Count(l.files, "file"), l.path)
		if l.err != nil {
			text = fmt.Sprintf("%s, %s: %v; %s", l.Name, wording.Count(l.files, "file"), l.err, wording.HintOf(l.err))
		}
		if l.held != nil {
			text += fmt.Sprintf(" (%v; %s)", l.held, wording.HintOf(l.held))
		}
		fmt.Fprintf(std.Out, "language: %s\n", logging.Escape(text))
	}
}

// lines returns the commands that install what is missing and can be installed.
func (s *servers) lines() (all []install.Line) {
	for _, l := range s.languages {
		if line := l.line(); line != "" && l.held == nil {
			all = append(all, line)
		}
	}
	return all
}

// install runs the commands, and looks whether the servers are there then. One that fails keeps none of the others from running.
func (s *servers) install(ctx context.Context, std command.Stdio) error {
	var failed error
	for _, l := range s.languages {
		if l.line() == "" || l.held != nil {
			continue
		}
		fmt.Fprintf(std.Out, "running: %s\n", logging.Escape(string(l.line())))
		err := s.installer.Run(ctx, l.line())
		if ctx.Err() != nil {
			return errors.Join(failed, err)
		}
		if err != nil {
			failed = errors.Join(failed, &initError{fmt.Sprintf("the language server for %s is not installed: %v", l.Name, err), wording.HintOf(err)})
			continue
		}
		path, err := l.Find(s.place.Project, os.Environ())
		if err != nil {
			failed = errors.Join(failed, &initError{fmt.Sprintf("%s has run, and still there is %v", l.line(), err), "put the directory that it installs into on PATH"})
			continue
		}
		fmt.Fprintf(std.Out, "installed %s\n", logging.Escape(path))
	}
	return failed
}

// provide lists the languages of a project, and installs servers that are missing after a person has agreed, or if the flag says so.
func (c *Init) provide(ctx context.Context, place protocol.Place, asks bool, std command.Stdio) error {
	s := serversOf(ctx, place)
	s.print(std)
	lines := s.lines()
	if len(lines) == 0 || !asks && !c.InstallServers {
		return nil
	}
	fmt.Fprintln(std.Out, "missing servers can be installed by:")
	for _, line := range lines {
		fmt.Fprintf(std.Out, "  %s\n", logging.Escape(string(line)))
	}
	if c.DryRun || !c.InstallServers && !command.Agreed(std, "Shall these commands be run?") {
		return nil
	}
	return s.install(ctx, std)
}
