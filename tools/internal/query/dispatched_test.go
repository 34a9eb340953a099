package query

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/lsp"
)

// The server is asked for a bounded time which method each site names; the sites left over are listed as not known.
func TestDispatchedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		method := lsp.Symbol{Name: "Close", Receiver: "File", Kind: lsp.KindMethod}
		var sites []Site
		for i := range 100 {
			sites = append(sites, Site{At: lsp.At(fmt.Sprintf("/p/%02d.go", i), 1, 1), Use: Use{Kind: "call", Called: true}})
		}
		asked := Language{Runs: func(ctx context.Context, _ *Query, _ lsp.Symbol, _ lsp.Location) (string, bool, error) {
			select {
			case <-time.After(time.Second):
				return "", true, nil
			case <-ctx.Done():
				return "", false, context.Cause(ctx)
			}
		}}
		for allowed, want := range map[time.Duration]int{time.Hour: 100, 4500 * time.Millisecond: 4 * Concurrent} {
			q := &Query{Languages: func(string) Language { return asked }}
			kept, unsure, err := q.dispatched(t.Context(), method, asked.Runs, sites, allowed)
			if err != nil || len(kept) != want || len(kept)+len(unsure) != len(sites) {
				t.Errorf("in %v: %d kept, %d unsure, %v, want %d", allowed, len(kept), len(unsure), err, want)
			}
			if c := q.Doubted(lsp.Completeness{State: lsp.Complete}); (c.State == lsp.Complete) != (want == len(sites)) {
				t.Errorf("in %v: %+v", allowed, c)
			}
		}
	})
}
