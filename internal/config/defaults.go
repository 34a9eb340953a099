package config

import (
	"fmt"
	"strings"
)

// Defaults returns the settings of a project that sets none, whatever the environment says.
func Defaults() *Config {
	l := loader{config: &Config{sources: make(map[string]string)}}
	l.keys = l.config.keys(nil)
	l.defaults()
	return l.config
}

// File writes the settings as a configuration file that sets all of them, in the order of the documentation.
func (c *Config) File() []byte {
	var b strings.Builder
	b.WriteString("{")
	section := "" // that is not closed
	for i, s := range c.Settings() {
		into, name, nested := strings.Cut(s.Key, ".")
		if _, isKey := c.sources[into]; !nested || isKey { // what has a value of its own can be no section
			into, name = "", s.Key
		}
		if section != "" && section != into {
			b.WriteString("\n  }")
		}
		if into != "" && section != into {
			fmt.Fprintf(&b, "%s\n  %q: {\n    %q: %s", comma(i), into, name, s.Value)
		} else {
			fmt.Fprintf(&b, "%s\n%s%q: %s", comma(i), indent(into), name, s.Value)
		}
		section = into
	}
	if section != "" {
		b.WriteString("\n  }")
	}
	b.WriteString("\n}\n")
	return []byte(b.String())
}

// comma separates the member number i from the one before.
func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

func indent(section string) string {
	if section == "" {
		return "  "
	}
	return "    "
}
