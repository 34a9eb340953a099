package typescript

import "tidepool/lsp/internal/session"

// environment chooses tsserver, and bounds its heap. tsserver gives nothing up when it comes near the bound, and ends at it: so that is
// the budget of all, and not its share.
func environment(s *session.Session) ([]string, error) {
	env, err := choose(s)
	return append(env, s.Memory.Node(session.Getenv(s.Env, "NODE_OPTIONS"), s.Memory.Budget)...), err
}
