package python

import "tidepool/lsp/internal/session"

// beside returns what says why pyright does not read a source file of the project, or not by its own name alone. Measured with 1.1.414:
// what is found through a link to a directory is another file to it than the one that is there. Of the two it lists the symbols of
// the one that comes first, and each has the uses of those who import it by its name.
func (s scope) beside(live *session.Session) func(path string) string {
	links := live.Host.Links()
	return func(path string) string {
		if why := s.outside(path); why != "" || !s.covers(path) {
			return why
		}
		for _, link := range links {
			if through := link.Through(path); through != "" {
				return "is another file to pyright where it is found as " + live.Host.Relative(through)
			}
		}
		return ""
	}
}
