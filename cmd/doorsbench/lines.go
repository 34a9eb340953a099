package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tidepool/internal/figures"
	"tidepool/protocol"
)

const (
	lineRounds = 301
	events     = 200 // to a daemon in a round
	mostLine   = 1.02
	// hookSample is a recorded event of about 1 KB.
	hookSample = "protocol/testdata/hooks/PostToolBatch.json"
)

// lineRows compares what lines cost in two daemons that are alike, but that one was asked by all doors, whose connections stay open.
func (b *bench) lineRows(ctx context.Context, _ string) (rows []figures.Row, err error) {
	input, err := os.ReadFile(filepath.Join(filepath.Dir(b.bin), filepath.FromSlash(hookSample)))
	if err != nil {
		return nil, err
	}
	quiet, err := b.startWarm(ctx, "quiet")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, quiet.Stop()) }()
	asked, err := b.startWarm(ctx, "asked")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, asked.Stop()) }()
	event, ping := &protocol.HookEvent{Input: bytes.TrimSpace(input), Runtime: "claude"}, &protocol.Ping{}
	if _, err := compareLines(asked, quiet, event, ping); err != nil { // a young daemon has other work, too
		return nil, err
	}
	before, err := compareLines(asked, quiet, event, ping)
	if err != nil {
		return nil, err
	}
	_, closeAll, err := asked.doors(ctx)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	after, err := compareLines(asked, quiet, event, ping)
	if err != nil {
		return nil, err
	}
	return []figures.Row{
		after[0].row("one ~1 KB hook event in a kept connection, to a daemon that has been asked by all doors, against one that knows lines only", before[0]),
		after[1].row("a Ping, the same", before[1]),
	}, nil
}

// A pair is what the same request costs in two daemons.
type pair struct{ asked, quiet []cost }

// compareLines takes the costs of each request.
func compareLines(asked, quiet *warm, requests ...protocol.Request) (all []pair, err error) {
	for _, request := range requests {
		ours, err := openLine(asked)
		if err != nil {
			return nil, err
		}
		defer ours.close()
		theirs, err := openLine(quiet)
		if err != nil {
			return nil, err
		}
		defer theirs.close()
		costs, err := inTurns(lineRounds, sending(asked, ours, request), sending(quiet, theirs, request))
		if err != nil {
			return nil, err
		}
		all = append(all, pair{costs[0], costs[1]})
	}
	return all, nil
}

// sending returns a side that sends a request again and again.
func sending(w *warm, client *lineClient, request protocol.Request) side {
	return batch(w.PID(), events, func() error {
		response, err := client.exchange(request)
		if failure, is := response.(*protocol.ErrorResponse); is {
			return failure.Error
		}
		return err
	})
}

// row holds what the request costs in the daemon that was asked. before, the same two daemons when neither was, shows what the two differ
// by themselves: it is told only, since to divide by it doubles the noise.
func (p pair) row(what string, before pair) figures.Row {
	cpu := ratio(p.asked, p.quiet, cpuOf)
	return figures.Row{
		What: what, Hold: fmt.Sprintf("≤ %.2f×", mostLine), Held: cpu <= mostLine, Measured: fmt.Sprintf("%.3f× of CPU", cpu),
		Beside: fmt.Sprintf("CPU %s against %s, medians of %d rounds of %d; the same two daemons before: %.3f×",
			times(middle(p.asked, cpuOf)), times(middle(p.quiet, cpuOf)), lineRounds, events, ratio(before.asked, before.quiet, cpuOf)),
	}
}
