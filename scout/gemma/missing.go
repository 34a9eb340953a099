package gemma

// A NoScorerError says that nobody chose how edges are scored. Whoever builds
// the scorer returns it: no scorer is ever chosen silently.
type NoScorerError struct{}

func (*NoScorerError) Error() string {
	return "cannot score edges: no scorer is chosen, and GEMMA_ENDPOINT is not set"
}

// Hint names both ways out.
func (*NoScorerError) Hint() string {
	return "for the model: `ollama pull " + DefaultModel + "`, then set GEMMA_ENDPOINT=http://127.0.0.1:11434; " +
		"for fixed rules instead: `scout.scorer` = \"heuristic\" in .tidepool/config.json, or `--scorer heuristic`"
}
