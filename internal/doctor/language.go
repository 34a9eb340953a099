package doctor

import "context"

// A Language is what may be asked of a project about a language and its server.
type Language struct {
	Name string // "Go"
	Used bool   // the project has it, and its server is not switched off
	// Find returns the path of the server's program, or why there is none, with a hint how to get it.
	Find func() (string, error)
}

// Languages checks that the language servers of a project are installed.
type Languages []Language

// Look finds their programs.
func (l Languages) Look(context.Context) []Finding {
	var all []Finding
	for _, language := range l {
		if !language.Used {
			continue
		}
		name := "language server for " + language.Name
		if path, err := language.Find(); err != nil {
			all = append(all, trouble(name, "install it", err))
		} else {
			all = append(all, fine(name, "%s", path))
		}
	}
	if all == nil {
		return []Finding{fine("language servers", "the project has no language that one is needed for")}
	}
	return all
}
