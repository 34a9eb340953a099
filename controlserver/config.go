package main

import (
	"encoding/json"
	"fmt"
	"os"
	"text/tabwriter"

	"tidepool/internal/config"
	"tidepool/internal/logging"
	"tidepool/lsp"
	"tidepool/protocol"
)

type configCommand struct {
	JSON bool `help:"Print one JSON array."`
}

// Run prints the settings that a daemon started here and now would have.
func (c *configCommand) Run(place protocol.Place, std stdio) error {
	loaded, err := loadConfig(place, nil)
	if err != nil {
		return err
	}
	if c.JSON {
		enc := json.NewEncoder(std.out)
		enc.SetEscapeHTML(false)
		return enc.Encode(loaded.Settings())
	}
	w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	for _, s := range loaded.Settings() {
		fmt.Fprintf(w, "%s\t%s\t%s\n", s.Key, logging.Escape(string(s.Value)), logging.Escape(s.Source))
	}
	return w.Flush()
}

// loadConfig reads the settings of a project; flags maps keys to what the command line says.
func loadConfig(place protocol.Place, flags map[string]string) (*config.Config, error) {
	var languages []string
	for _, l := range lsp.Languages() {
		languages = append(languages, l.ID)
	}
	return config.Load(config.Sources{Project: place.Project, Env: os.LookupEnv, Flags: flags, Languages: languages})
}
