package doctor

import "context"

// Policies checks that policy files can be used.
type Policies struct {
	// Read reads them, and returns what there is and what is wrong.
	Read func() (text string, problems []error)
}

// Look reads them.
func (p Policies) Look(context.Context) []Finding {
	const name = "policy files"
	text, problems := p.Read()
	if len(problems) == 0 {
		return []Finding{fine(name, "%s", text)}
	}
	var all []Finding
	for _, err := range problems {
		all = append(all, trouble(name, "correct the file", err))
	}
	return all
}
