package serve

import (
	"context"

	"tidepool/internal/config"
	"tidepool/internal/recall"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// RecallOptions returns how the memories are opened for a project, by its daemon and by commands. They find the user's own database in
// the same place, or else the one that the project has for itself.
func RecallOptions(ctx context.Context, place protocol.Place, settings config.Recall) (recall.Options, error) {
	project, err := recall.ProjectOf(ctx, place.Project)
	if err != nil {
		return recall.Options{}, err
	}
	options := recall.Options{Project: project, Root: place.Project, Scope: settings.Scope, Floor: settings.Floor}
	if place.Managed {
		options.Fallback = state.Of(place.Project)
	}
	return options, nil
}
