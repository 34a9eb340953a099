package cmddoc

import (
	"fmt"
	"io"

	"github.com/alecthomas/kong"
)

// Completion prints the completion of a program for a shell.
type Completion struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
	Of    string `help:"The program: agent or controlserver." enum:"agent,controlserver" default:"agent" hidden:""`
}

// Run prints the completion.
func (c *Completion) Run(k *kong.Kong) error {
	program := programOf(k, c.Of)
	write := map[string]func(io.Writer, Command) error{"bash": Bash, "zsh": Zsh, "fish": Fish}[c.Shell]
	return write(k.Stdout, program)
}

// ManualPage prints the manual page of a program, for packages.
type ManualPage struct {
	Of      string `arg:"" enum:"agent,controlserver" help:"The program: agent or controlserver."`
	Release string `arg:"" help:"The version that the page names."`
}

// Run prints the page.
func (c *ManualPage) Run(k *kong.Kong) error {
	program := programOf(k, c.Of)
	if c.Of == "agent" {
		return AgentPage(k.Stdout, program, c.Release)
	}
	return ControlserverPage(k.Stdout, program, c.Release)
}

func programOf(k *kong.Kong, name string) Command {
	if name == "agent" {
		return Agent(k.Model)
	}
	program := Controlserver(k.Model)
	program.Name = name // kong has the name by which it was called
	return program
}

// A printer writes lines and keeps the first error.
type printer struct {
	to  io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.to, format, args...)
	}
}
