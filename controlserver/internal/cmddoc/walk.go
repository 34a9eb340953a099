package cmddoc

import "slices"

// An at is a command with its place in the command line.
type at struct {
	path string // the names from below the program, each after a slash; "" for the program
	Command
}

// walk returns the program and all commands below it, parents first.
func walk(program Command) []at {
	list := []at{{Command: program}}
	for i := 0; i < len(list); i++ {
		var below []at
		for _, c := range list[i].Commands {
			below = append(below, at{list[i].path + "/" + c.Name, c})
		}
		list = slices.Insert(list, i+1, below...)
	}
	return list
}

// paths returns the paths of all commands below the program.
func paths(program Command) []string {
	var all []string
	for _, c := range walk(program)[1:] {
		all = append(all, c.path)
	}
	return all
}

// spellings returns a flag as it can be written: --json, -n.
func (f Flag) spellings() []string {
	if f.Short == "" {
		return []string{"--" + f.Name}
	}
	return []string{"--" + f.Name, "-" + f.Short}
}

// values returns what the first argument of a command may be: its commands, or the choices of its argument.
func (c Command) values() []string {
	var words []string
	for _, below := range c.Commands {
		words = append(words, below.Name)
	}
	if len(c.Arguments) > 0 {
		words = append(words, c.Arguments[0].Values...)
	}
	return words
}
