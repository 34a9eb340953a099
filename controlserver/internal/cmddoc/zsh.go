package cmddoc

import (
	"io"
	"strings"
)

// Zsh writes the completion of a program for zsh: a function for each command.
func Zsh(to io.Writer, program Command) error {
	p := &printer{to: to}
	p.printf("#compdef %[1]s\n# Completion of %[1]s for zsh: made by `agent completion zsh`.\n", program.Name)
	for _, c := range walk(program) {
		zshFunction(p, program.Name, c)
	}
	// A completion that is autoloaded completes at once; one that is sourced registers itself.
	p.printf("\nif [ \"$funcstack[1]\" = \"_%[1]s\" ]; then\n\t_%[1]s \"$@\"\nelse\n\tcompdef _%[1]s %[1]s\nfi\n", program.Name)
	return p.err
}

func zshFunction(p *printer, program string, c at) {
	p.printf("\n%s() {\n", zshName(program, c.path))
	if len(c.Commands) > 0 {
		p.printf("\tlocal -a commands\n\tlocal curcontext=\"$curcontext\" state line\n")
	}
	p.printf("\t_arguments -C")
	for _, f := range c.takes() {
		for _, spelling := range f.spellings() {
			p.printf(" \\\n\t\t%s", zshQuote(spelling+zshFlag(f, len(spelling) > 2)))
		}
	}
	if len(c.Commands) == 0 {
		zshArguments(p, c)
		p.printf("\n}\n")
		return
	}
	p.printf(" \\\n\t\t'1: :->command' \\\n\t\t'*:: :->arguments'\n\tcase \"$state\" in\n\tcommand)\n\t\tcommands=(\n")
	for _, below := range c.Commands {
		p.printf("\t\t\t%s\n", zshQuote(below.Name+":"+strings.ReplaceAll(below.Help, ":", `\:`)))
	}
	p.printf("\t\t)\n\t\t_describe -t commands command commands\n\t\t;;\n\targuments)\n\t\tcase \"$line[1]\" in\n")
	for _, below := range c.Commands {
		p.printf("\t\t%s) %s ;;\n", below.Name, zshName(program, c.path+"/"+below.Name))
	}
	p.printf("\t\tesac\n\t\t;;\n\tesac\n}\n")
}

func zshArguments(p *printer, c at) {
	for i, argument := range c.Arguments {
		position := string(rune('1' + i))
		if argument.Many {
			position = "*"
		}
		action := "_files"
		if argument.Values != nil {
			action = "(" + strings.Join(argument.Values, " ") + ")"
		}
		p.printf(" \\\n\t\t%s", zshQuote(position+":"+argument.Name+":"+action))
	}
}

// zshFlag returns what follows the spelling of a flag in a specification of _arguments.
func zshFlag(f Flag, long bool) string {
	joint := "+" // its value may follow at once: -n5
	if long {
		joint = "="
	}
	description := "[" + strings.NewReplacer("[", `\[`, "]", `\]`).Replace(f.Help) + "]"
	switch {
	case f.Placeholder == "":
		return description
	case f.Values != nil:
		return joint + description + ":value:(" + strings.Join(f.Values, " ") + ")"
	}
	return joint + description + ":value:_files"
}

// zshName returns the name of the function that completes a command.
func zshName(program, path string) string { return "_" + program + strings.ReplaceAll(path, "/", "_") }

func zshQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
