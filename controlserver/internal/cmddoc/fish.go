package cmddoc

import (
	"io"
	"strings"
)

// Fish writes the completion of a program for fish.
func Fish(to io.Writer, program Command) error {
	p := &printer{to: to}
	p.printf("# Completion of %[1]s for fish: made by `agent completion fish`.\nfunction __%[1]s_at --description 'print the path of the command on the line'\n", program.Name)
	p.printf("\tset -l at "+program.Name+"\n\tfor word in (commandline -opc)[2..-1]\n\t\tswitch \"$at/$word\"\n\t\t\tcase %s\n", program.Name+strings.Join(paths(program), " "+program.Name))
	p.printf("\t\t\t\tset at \"$at/$word\"\n\t\tend\n\tend\n\techo \"$at\"\nend\n")
	for _, c := range walk(program) {
		condition := "complete -c " + program.Name + " -n 'test (__" + program.Name + "_at) = " + program.Name + c.path + "'"
		for _, below := range c.Commands {
			p.printf("%s -f -a %s -d %s\n", condition, below.Name, fishQuote(below.Help))
		}
		if len(c.Arguments) > 0 && c.Arguments[0].Values != nil {
			p.printf("%s -f -a %s\n", condition, fishQuote(strings.Join(c.Arguments[0].Values, " ")))
		}
		for _, f := range c.takes() {
			p.printf("%s -l %s%s -d %s\n", condition, f.Name, fishFlag(f), fishQuote(f.Help))
		}
	}
	return p.err
}

// fishFlag returns the options of complete for the short name and the value of a flag.
func fishFlag(f Flag) string {
	var options string
	if f.Short != "" {
		options += " -s " + f.Short
	}
	if f.Placeholder == "" {
		return options
	}
	if f.Values != nil {
		return options + " -x -a " + fishQuote(strings.Join(f.Values, " "))
	}
	return options + " -r"
}

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}
