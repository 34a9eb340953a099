package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/unixsock"
	"tidepool/protocol"
)

// looks is how often takeEvents looks at the daemon on its way.
const looks = 20

// Bounds of what a daemon may grow by between the second quarter of the events
// and the last: what the allocator does on its own differs by about so much.
const (
	growth     = 1.15
	growthFrom = 8 << 20 // bytes, for which any growth is none
	// A goroutine that each event left behind would be thousands, and one that each tool call left behind ten. Two come and go
	// by themselves: five looks on one busy processor found 15 at the least once, and 16 another time.
	goroutinesAlone = 2
)

// takeEvents sends hook events of many sessions, each in a connection of its
// own as agent hook does, and now and then edits a file or asks a tool. It
// compares what the daemon holds early, when its caches are full, and late.
func takeEvents(ctx context.Context, f *fixture, events int) (string, error) {
	if err := f.start(ctx); err != nil {
		return "", err
	}
	var memory, goroutines []int64
	began := time.Now()
	for range looks {
		if err := f.forwardAll(ctx, events/looks); err != nil {
			return "", err
		}
		status, err := f.settled()
		if err != nil {
			return "", err
		}
		memory = append(memory, status.MemoryBytes)
		goroutines = append(goroutines, int64(status.Goroutines))
	}
	took := time.Since(began)
	early, late := median(memory[looks/4:looks/2]), median(memory[looks*3/4:])
	few, many := slices.Min(goroutines[looks/4:looks/2]), slices.Min(goroutines[looks*3/4:])
	figures := fmt.Sprintf("%d a second; resident %.1f MB after a third, %.1f MB at the end; %d goroutines, then %d",
		int(float64(events)/took.Seconds()), megabytes(early), megabytes(late), few, many)
	if float64(late) > float64(early)*growth && late-early > growthFrom || many > few+goroutinesAlone {
		return "", fmt.Errorf("it grows: %s; memory %v, goroutines %v", figures, memory, goroutines)
	}
	return figures, nil
}

func median(of []int64) int64 {
	return slices.Sorted(slices.Values(of))[len(of)/2]
}

func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }

// forwardAll sends events through 8 clients at once.
func (f *fixture) forwardAll(ctx context.Context, events int) error {
	var t totals
	var clients sync.WaitGroup
	for range hookClients {
		clients.Go(func() {
			for range events / hookClients {
				if err := f.forward(ctx); err != nil {
					t.fail(err)
					return
				}
			}
		})
	}
	clients.Wait()
	if t.err != nil {
		return t.err
	}
	_, err := ask[*protocol.MCPToolResponse](f, &protocol.MCPToolCall{ID: "1", ToolName: "find_callers", Arguments: json.RawMessage(`{"name":"F"}`)})
	return err
}

// forward does what agent hook does, with a random event of a random session.
func (f *fixture) forward(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	e := f.events[rand.IntN(len(f.events))]
	response, err := ask[*protocol.HookResponse](f, &protocol.HookEvent{Input: e.of(rand.IntN(10_000)), Runtime: "claude"})
	if err != nil {
		return err
	}
	if response.ExitCode != 0 {
		return fmt.Errorf("%s was answered with %+v", e.name, response)
	}
	return nil
}

// holdClients attaches clients, as agent mcp does for a whole session.
func holdClients(ctx context.Context, f *fixture, clients int) (string, error) {
	if err := f.start(ctx); err != nil {
		return "", err
	}
	before, err := f.settled()
	if err != nil {
		return "", err
	}
	fds, err := descriptors(before.PID)
	if err != nil {
		return "", err
	}
	held, figures, err := f.hold(ctx, clients)
	for _, conn := range held {
		_ = conn.Close()
	}
	if err != nil {
		return "", err
	}
	err = f.eventually("nothing is left of the clients", func() (string, bool) {
		after, err := f.settled()
		if err != nil {
			return err.Error(), false
		}
		return fmt.Sprintf("%d goroutines of %d", after.Goroutines, before.Goroutines), after.Goroutines <= before.Goroutines
	})
	if err == nil {
		_, err = f.drained(before.PID, countOpen(fds))
	}
	return figures, err
}

// hold attaches the clients and uses the daemon meanwhile.
func (f *fixture) hold(ctx context.Context, clients int) (held []*unixsock.Conn, figures string, err error) {
	for i := range clients {
		conn, err := unixsock.Dial(f.socket(), time.Now().Add(time.Hour))
		if err != nil {
			return held, "", err
		}
		held = append(held, conn)
		if err := attach(conn, i); err != nil {
			return held, "", fmt.Errorf("client %d: %w", i, err)
		}
	}
	status, err := f.status()
	if err != nil {
		return held, "", err
	}
	if status.Clients != clients {
		return held, "", fmt.Errorf("%d of %d clients are counted", status.Clients, clients)
	}
	v, err := f.hook(ctx, f.named(protocol.PreToolUse), closed)
	if err == nil && !v.answered {
		err = fmt.Errorf("a hook got no answer beside %d clients", clients)
	}
	return held, fmt.Sprintf("resident %.1f MB with all of them; a hook beside them takes %v",
		megabytes(status.MemoryBytes), v.took.Round(100*time.Microsecond)), err
}

func attach(conn *unixsock.Conn, pid int) error {
	_, err := daemontest.Exchange[*protocol.Attached](conn, &protocol.Attach{Client: "soak", PID: pid + 1})
	return err
}
