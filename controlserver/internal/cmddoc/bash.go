package cmddoc

import (
	"io"
	"strings"
)

// Bash writes the completion of a program for bash 3.2 and newer.
func Bash(to io.Writer, program Command) error {
	p := &printer{to: to}
	p.printf("# Completion of %[1]s for bash: made by `agent completion bash`.\n_%[1]s() {\n", program.Name)
	p.printf(`	COMPREPLY=()
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} at='' words='' i
	if [ "$cur" = = ]; then # bash takes --flag=value for three words
		cur=''
	elif [ "$prev" = = ] && [ "$COMP_CWORD" -gt 2 ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	for ((i = 1; i < COMP_CWORD; i++)); do
		case "$at/${COMP_WORDS[i]}" in
		%s) at="$at/${COMP_WORDS[i]}" ;;
		esac
	done
`, strings.Join(paths(program), " | "))
	bashValues(p, program)
	p.printf("\tcase \"$at\" in\n")
	for _, c := range walk(program) {
		p.printf("\t'%s') words='%s' ;;\n", c.path, strings.Join(append(c.values(), spellingsOf(c.takes())...), " "))
	}
	p.printf("\tesac\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -o bashdefault -o default -F _%[1]s %[1]s\n", program.Name)
	return p.err
}

// bashValues writes what follows a flag that takes a value: its choices, else the names of files.
func bashValues(p *printer, program Command) {
	var files []string
	p.printf("\tcase \"$at $prev\" in\n")
	for _, c := range walk(program) {
		for _, f := range c.takes() {
			if f.Placeholder == "" {
				continue
			}
			var pattern []string
			for _, spelling := range f.spellings() {
				pattern = append(pattern, "'"+c.path+" "+spelling+"'")
			}
			if f.Values == nil {
				files = append(files, pattern...)
				continue
			}
			p.printf("\t%s)\n\t\tCOMPREPLY=($(compgen -W '%s' -- \"$cur\"))\n\t\treturn\n\t\t;;\n", strings.Join(pattern, " | "), strings.Join(f.Values, " "))
		}
	}
	if files != nil {
		p.printf("\t%s) return ;;\n", strings.Join(files, " | "))
	}
	p.printf("\tesac\n")
}

func spellingsOf(flags []Flag) []string {
	var all []string
	for _, f := range flags {
		all = append(all, f.spellings()...)
	}
	return all
}
