package command

import (
	"context"
	"errors"
	"fmt"

	"tidepool/controlserver/internal/serve"
	"tidepool/internal/config"
	"tidepool/internal/doctor"
	"tidepool/internal/recall"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// memoriesOf opens what is remembered as a daemon would, if anything is.
func memoriesOf(place protocol.Place, settings config.Recall) doctor.Recall {
	return doctor.Recall{Enabled: settings.Enabled, Open: func(ctx context.Context) (text, problem string, err error) {
		options, err := serve.RecallOptions(ctx, place, settings)
		if err != nil {
			return "", "", err
		}
		if !recall.Exists(options) {
			return "nothing is remembered yet", "", nil
		}
		store, err := recall.OpenDatabase(ctx, options)
		if err != nil {
			return "", "", err
		}
		defer func() { err = errors.Join(err, store.Close(ctx)) }()
		s := store.Status(ctx)
		text = fmt.Sprintf("%s in %s", wording.Count(s.Counts.Memories, "memory"), s.Path)
		if s.Place != "" {
			text += ", this project's own, because " + s.Place
		}
		return text, s.Problem, nil
	}}
}
