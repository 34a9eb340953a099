package command

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"tidepool/controlserver/internal/page"
	"tidepool/controlserver/internal/serve"
	"tidepool/internal/config"
	"tidepool/internal/logging"
	"tidepool/internal/memory"
	"tidepool/protocol"
)

// Config lists the settings of a project.
type Config struct {
	JSON bool `help:"Print one JSON array."`
}

// Run prints the settings of the daemon that runs, or those that one started here and now would have.
func (c *Config) Run(ctx context.Context, place protocol.Place, std Stdio) error {
	loaded, err := serve.LoadConfig(place, nil)
	if err != nil {
		return err
	}
	Warn(std, loaded)
	all, whose := loaded.Settings(), "no daemon runs: one that is started here and now has these settings"
	if status := configurationOf(place); status != nil {
		all, whose = nil, fmt.Sprintf("the daemon (pid %d) has these settings", status.PID)
		for _, s := range status.Configuration.Settings {
			all = append(all, config.Setting(s))
		}
	}
	var settings []setting
	for _, s := range all {
		shown := setting{Setting: s}
		if s.Key == "memory.budget" && loaded.Memory.BudgetMB == 0 {
			shown.Effective = effective(memory.BudgetNow(ctx, 0))
		}
		settings = append(settings, shown)
	}
	if c.JSON {
		enc := json.NewEncoder(std.Out)
		enc.SetEscapeHTML(false)
		return enc.Encode(settings)
	}
	var rows [][3]string
	for _, s := range settings {
		source := strings.TrimPrefix(s.Source, place.Project+string(filepath.Separator))
		if s.Effective != "" {
			source += ": " + s.Effective
		}
		rows = append(rows, [3]string{s.Key, string(s.Value), source})
	}
	if err := page.Table(std.Out, rows); err != nil {
		return err
	}
	_, err = fmt.Fprintln(std.Out, whose)
	return err
}

// A setting is one of a project, and what it comes to.
type setting struct {
	config.Setting
	Effective string `json:"effective,omitempty"` // here and now, for a person; "": the value says it
}

// effective is "10894 MB now, half of the 21788 MB available by MemAvailable of /proc/meminfo".
func effective(b memory.Budget) string {
	text := "no budget: " + b.Reason
	if b.Bytes > 0 {
		text = fmt.Sprintf("%d MB now, %s", b.Bytes>>20, b.Reason)
	}
	for _, doubt := range b.Doubts {
		text += "; " + doubt
	}
	return text
}

// Warn tells which settings do not count.
func Warn(std Stdio, loaded *config.Config) {
	for _, refused := range loaded.Refused {
		fmt.Fprintf(std.Err, "warning: %s\nhint: %s\n", logging.Escape(refused.Error()), logging.Escape(refused.Hint()))
	}
}
