package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/git"
	"tidepool/internal/logging"
	"tidepool/lsp"
	"tidepool/protocol"
)

// gitTimeout is how long git may take to look into its index.
const gitTimeout = 2 * time.Second

type configCommand struct {
	JSON bool `help:"Print one JSON array."`
}

// Run prints the settings that a daemon started here and now would have.
func (c *configCommand) Run(place protocol.Place, std stdio) error {
	loaded, err := loadConfig(place, nil)
	if err != nil {
		return err
	}
	warn(std, loaded)
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

// warn tells which settings do not count.
func warn(std stdio, loaded *config.Config) {
	for _, refused := range loaded.Refused {
		fmt.Fprintf(std.err, "warning: %s\nhint: %s\n", logging.Escape(refused.Error()), logging.Escape(refused.Hint()))
	}
}

// loadConfig reads the settings of a project; flags maps keys to what the command line says.
func loadConfig(place protocol.Place, flags map[string]string) (*config.Config, error) {
	var languages []string
	for _, l := range lsp.Languages() {
		languages = append(languages, l.ID)
	}
	return config.Load(config.Sources{
		Project: place.Project, Env: os.LookupEnv, Flags: flags, Languages: languages,
		Distrust: func(path string) error {
			if err := distrust(path); err != nil {
				return err
			}
			return newTrustee().distrust(place.Project)
		},
	})
}

// distrust says why the user may not have made a file of the project, or nil: what git tracks may have come with a
// clone.
func distrust(path string) error {
	ctx, cancel := context.WithTimeout(context.Background(), gitTimeout)
	defer cancel()
	switch tracked, err := git.Tracked(ctx, path); {
	case err != nil:
		return fmt.Errorf("nobody can tell whether it came with the project: %w", err)
	case tracked:
		return errors.New("git tracks the file, so it may have come with the project")
	}
	return nil
}
