package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/figures"
	"tidepool/internal/measure"
	"tidepool/protocol"
)

const (
	starts    = 20
	mostStart = 50 * time.Millisecond
)

// startRows times the start of daemons of empty projects, and tells the size of the programs.
func (b *bench) startRows(ctx context.Context, _ string) ([]figures.Row, error) {
	var all []time.Duration
	for range starts {
		took, err := b.timeStart(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, took)
	}
	took := measure.Percentile(all, 50)
	rows := []figures.Row{{
		What: "start to first Pong", Hold: fmt.Sprintf("≤ %d ms", mostStart.Milliseconds()), Measured: times(took), Held: took <= mostStart,
		Beside: fmt.Sprintf("median of %d, slowest %s", starts, times(slices.Max(all))),
	}}
	for _, program := range []string{"controlserver", "agent"} {
		info, err := os.Stat(filepath.Join(b.bin, program))
		if err != nil {
			return nil, err
		}
		rows = append(rows, figures.Row{What: "size of `" + program + "`", Hold: "–", Measured: fmt.Sprintf("%.1f MB", float64(info.Size())/1e6), Beside: "", Held: true})
	}
	return rows, nil
}

// timeStart times a daemon, from its start to the answer to a Ping.
func (b *bench) timeStart(ctx context.Context) (time.Duration, error) {
	project, err := os.MkdirTemp(b.temp, "empty-")
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	d, err := b.start(ctx, project)
	if err != nil {
		return 0, err
	}
	_, err = daemontest.Ask[*protocol.Pong](ctx, d.Socket(), &protocol.Ping{})
	took := time.Since(begin)
	if err != nil {
		d.Kill()
		return 0, err
	}
	return took, d.Stop()
}
