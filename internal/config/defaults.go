package config

// Defaults returns the settings of a project that sets none, whatever the environment says.
func Defaults() *Config {
	l := loader{config: &Config{sources: make(map[string]string)}}
	l.keys = l.config.keys(nil)
	l.defaults()
	return l.config
}
