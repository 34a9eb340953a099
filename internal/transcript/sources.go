package transcript

// Sources returns the programs whose conversations can be read.
func Sources() []Source { return []Source{claude()} }
