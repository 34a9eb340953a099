package cmddoc

import (
	"io"
	"strings"

	"tidepool/internal/usage"
)

// AgentPage writes the manual page of agent, agent(1).
func AgentPage(to io.Writer, program Command, release string) error {
	p := &printer{to: to}
	header(p, program, release)
	commands(p, program)
	p.printf(".SH NOTES\n")
	for _, paragraph := range usage.Details() {
		p.printf(".PP\n%s\n", roff(paragraph))
	}
	footer(p, "controlserver")
	return p.err
}

// ControlserverPage writes the manual page of controlserver, controlserver(1).
func ControlserverPage(to io.Writer, program Command, release string) error {
	p := &printer{to: to}
	header(p, program, release)
	commands(p, program)
	p.printf(".SH EXIT STATUS\n0 fine, 1 failed, 2 wrong command line.\n")
	footer(p, "agent")
	return p.err
}

func header(p *printer, program Command, release string) {
	p.printf(".TH %s 1 \"\" %s tidepool\n", strings.ToUpper(program.Name), roffQuote("tidepool "+release))
	p.printf(".SH NAME\n%s \\- %s\n", program.Name, roff(strings.TrimSuffix(program.Help, ".")))
	p.printf(".SH SYNOPSIS\n.B %s\n.I command\n[\n.I flags\n]\n", program.Name)
	p.printf(".SH FLAGS\n")
	flags(p, program.Flags)
}

func footer(p *printer, other string) { p.printf(".SH SEE ALSO\n.BR %s (1)\n", other) }

// commands writes a subsection for each command that has no commands below it.
func commands(p *printer, program Command) {
	p.printf(".SH COMMANDS\n")
	for _, c := range walk(program)[1:] {
		if len(c.Commands) > 0 {
			continue
		}
		p.printf(".SS %s\n%s\n", roffQuote(synopsis(program.Name, c)), roff(c.Help))
		for _, argument := range c.Arguments {
			if argument.Help != "" {
				p.printf(".TP\n.I %s\n%s\n", roff(argument.Name), roff(argument.Help))
			}
		}
		flags(p, c.Flags)
	}
}

// synopsis returns a command with its arguments: agent memory show <id>.
func synopsis(program string, c at) string {
	text := program + strings.ReplaceAll(c.path, "/", " ")
	for _, argument := range c.Arguments {
		word := "<" + argument.Name + ">"
		if argument.Many {
			word += " ..."
		}
		if argument.Optional {
			word = "[" + word + "]"
		}
		text += " " + word
	}
	return text
}

func flags(p *printer, list []Flag) {
	for _, f := range list {
		text := "\\fB" + roff("--"+f.Name) + "\\fR"
		if f.Short != "" {
			text = "\\fB" + roff("-"+f.Short) + "\\fR, " + text
		}
		if f.Placeholder != "" {
			text += "=\\fI" + roff(f.Placeholder) + "\\fR"
		}
		p.printf(".TP\n%s\n%s\n", text, roff(f.Help))
	}
}

// roff escapes text so that none of it is a request or an escape sequence.
func roff(s string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// roffQuote returns s as one argument of a request.
func roffQuote(s string) string { return `"` + strings.ReplaceAll(roff(s), `"`, `\(dq`) + `"` }
