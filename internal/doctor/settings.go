package doctor

import "context"

// Settings checks that the settings can be used.
type Settings struct {
	Path string
	// Load reads them; its error joins one for each thing that is wrong.
	Load func() error
}

// Look reads the settings.
func (s Settings) Look(context.Context) []Finding {
	err := s.Load()
	switch {
	case err == nil && !exists(s.Path):
		return []Finding{fine("settings", "all defaults: there is no %s", s.Path)}
	case err == nil:
		return []Finding{fine("settings", "%s", s.Path)}
	}
	return faults(err)
}

// faults returns a problem for each error that err joins.
func faults(err error) []Finding {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []Finding{trouble("settings", "correct it", err)}
	}
	var all []Finding
	for _, e := range joined.Unwrap() {
		all = append(all, faults(e)...)
	}
	return all
}
