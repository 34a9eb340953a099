package command

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"tidepool/controlserver/internal/serve"
	"tidepool/internal/config"
	"tidepool/internal/logging"
	"tidepool/protocol"
)

// Config lists the settings of a project.
type Config struct {
	JSON bool `help:"Print one JSON array."`
}

// Run prints the settings that a daemon started here and now would have.
func (c *Config) Run(place protocol.Place, std Stdio) error {
	loaded, err := serve.LoadConfig(place, nil)
	if err != nil {
		return err
	}
	Warn(std, loaded)
	if c.JSON {
		enc := json.NewEncoder(std.Out)
		enc.SetEscapeHTML(false)
		return enc.Encode(loaded.Settings())
	}
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	for _, s := range loaded.Settings() {
		fmt.Fprintf(w, "%s\t%s\t%s\n", s.Key, logging.Escape(string(s.Value)), logging.Escape(s.Source))
	}
	return w.Flush()
}

// Warn tells which settings do not count.
func Warn(std Stdio, loaded *config.Config) {
	for _, refused := range loaded.Refused {
		fmt.Fprintf(std.Err, "warning: %s\nhint: %s\n", logging.Escape(refused.Error()), logging.Escape(refused.Hint()))
	}
}
