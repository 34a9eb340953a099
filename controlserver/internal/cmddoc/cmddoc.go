// Package cmddoc writes down the command lines of both programs: completions for bash, zsh and fish, and manual pages.
//
// All of them are made from what the programs themselves parse by: the grammar of controlserver's command line, and package usage, which
// has the commands that agent runs itself.
package cmddoc

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"tidepool/internal/usage"
	"tidepool/protocol"
)

// A Command is a program or a command of it.
type Command struct {
	Name      string
	Help      string // one sentence
	Flags     []Flag
	Inherited []Flag // of the commands above it, which it takes too
	Arguments []Argument
	Commands  []Command
}

// A Flag is a flag of a command.
type Flag struct {
	Name        string // without hyphens
	Short       string // "": it has none
	Help        string
	Placeholder string // of its value; "": it takes none
	Values      []string
}

// An Argument is a positional argument of a command.
type Argument struct {
	Name     string
	Help     string
	Optional bool
	Many     bool
	Values   []string // what it may be; nil: anything
}

// Controlserver returns the command line of controlserver. Hidden commands are left out: they are for programs.
func Controlserver(model *kong.Application) Command { return fromNode(model.Node, nil) }

// Agent returns the command line of agent: the commands that it runs itself, and those of controlserver that it hands over.
func Agent(model *kong.Application) Command {
	server := Controlserver(model)
	agent := Command{Name: "agent", Help: "Connect Claude Code, and its user, to the daemon of a project."}
	for _, c := range usage.Commands(events()...) {
		for _, name := range c.Names {
			if !c.Server {
				agent.Commands = append(agent.Commands, fromUsage(name, c))
			} else if handed, ok := server.find(name); ok {
				agent.Commands = append(agent.Commands, handed)
			}
		}
	}
	agent.Flags = []Flag{{Name: "help", Short: "h", Help: "Print the commands."}, {Name: "version", Help: "Print the version."}}
	return agent
}

// find returns the command of that name directly below c.
func (c Command) find(name string) (Command, bool) {
	for _, below := range c.Commands {
		if below.Name == name {
			return below, true
		}
	}
	return Command{}, false
}

// events returns the hook events as a command line writes them: pre-tool-use.
func events() []string {
	var names []string
	for _, event := range protocol.Events() {
		var name strings.Builder
		for i, r := range string(event) {
			if i > 0 && 'A' <= r && r <= 'Z' {
				name.WriteByte('-')
			}
			name.WriteRune(r)
		}
		names = append(names, strings.ToLower(name.String()))
	}
	return names
}

func fromUsage(name string, c usage.Command) Command {
	made := Command{Name: name, Help: sentence(c.Help)}
	for _, f := range c.Flags {
		made.Flags = append(made.Flags, Flag{Name: f.Name, Help: sentence(f.Help), Placeholder: f.Placeholder, Values: f.Values})
	}
	for word := range strings.FieldsSeq(c.Arguments) {
		if strings.HasPrefix(word, "[") { // the flags
			break
		}
		made.Arguments = append(made.Arguments, Argument{Name: strings.ToLower(strings.Trim(word, "<>")), Values: c.Values})
	}
	return made
}

// sentence returns a line of the help as a sentence, as the grammar of controlserver has them.
func sentence(help string) string { return strings.ToUpper(help[:1]) + help[1:] + "." }

func fromNode(n *kong.Node, inherited []Flag) Command {
	c := Command{Name: n.Name, Help: n.Help, Inherited: inherited}
	for _, flag := range n.Flags {
		if !flag.Hidden {
			c.Flags = append(c.Flags, fromFlag(flag))
		}
	}
	for _, argument := range n.Positional {
		c.Arguments = append(c.Arguments, Argument{
			Name: argument.Name, Help: argument.Help, Optional: !argument.Required, Many: argument.IsCumulative(), Values: values(argument.Enum),
		})
	}
	for _, child := range n.Children {
		if !child.Hidden {
			c.Commands = append(c.Commands, fromNode(child, c.takes()))
		}
	}
	if n.DefaultCmd != nil && !n.DefaultCmd.Hidden && n.DefaultCmd.Tag.Default == "withargs" {
		whole, _ := c.find(n.DefaultCmd.Name)
		c.Flags = append(c.Flags, whole.Flags...)
	}
	return c
}

// takes returns the flags that c takes: its own and those of the commands above it.
func (c Command) takes() []Flag { return slices.Concat(c.Flags, c.Inherited) }

func fromFlag(f *kong.Flag) Flag {
	made := Flag{Name: f.Name, Help: f.Help, Values: values(f.Enum)}
	if f.Short != 0 {
		made.Short = string(f.Short)
	}
	if !f.IsBool() && !f.IsCounter() {
		made.Placeholder = f.FormatPlaceHolder()
	}
	return made
}

// values returns the choices of an enum that can be written.
func values(enum string) []string {
	var all []string
	for value := range strings.SplitSeq(enum, ",") {
		if value = strings.TrimSpace(value); value != "" {
			all = append(all, value)
		}
	}
	return all
}
