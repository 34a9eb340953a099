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

// Sites are told by text for leastTime after the server is not asked any more; those left over are listed as not known.
func TestDispatchedByTextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		method := lsp.Symbol{Name: "Error", Receiver: "Failure", Kind: lsp.KindMethod}
		sites := make([]Site, 10_000)
		slow := func(context.Context, *Query, lsp.Symbol, lsp.Location) (string, bool, error) {
			time.Sleep(100 * time.Millisecond)
			return "", true, nil
		}
		q := &Query{Languages: func(string) Language { return Language{} }}
		begin := time.Now()
		kept, unsure, err := q.dispatched(t.Context(), method, slow, sites, time.Second)
		if took := time.Since(begin); err != nil || took < time.Second || took > 1500*time.Millisecond {
			t.Errorf("%v, %v", took, err)
		}
		if len(kept) == 0 || len(kept)+len(unsure) != len(sites) {
			t.Errorf("%d kept, %d unsure", len(kept), len(unsure))
		}
		if c := q.Doubted(lsp.Completeness{State: lsp.Complete}); c.State != lsp.Indexing {
			t.Errorf("%+v", c)
		}
	})
}

// Questions beyond the references have little time together once that of the call is over.
func TestAllowedEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &Query{View: &lsp.View{}, began: time.Now(), further: new(further)}
		for _, want := range []time.Duration{furtherTime, furtherTime - 3*time.Second, leastTime, leastTime / 2, 0} {
			if got := q.allowed(); got != want {
				t.Errorf("after %v: %v, want %v", time.Since(q.began), got, want)
			}
			switch want {
			case furtherTime:
				time.Sleep(3 * time.Second)
			case leastTime:
				time.Sleep(2*leastTime - leastTime/2)
			case leastTime / 2:
				time.Sleep(leastTime)
			default:
				time.Sleep(2 * time.Second)
			}
		}
	})
}

// They have that little time also when the call's was over before the first of them.
func TestAllowedOfALateCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &Query{View: &lsp.View{}, began: time.Now(), further: new(further)}
		time.Sleep(time.Minute)
		for _, want := range []time.Duration{leastTime, leastTime, 0} {
			if got := q.allowed(); got != want {
				t.Errorf("after %v: %v, want %v", time.Since(q.began), got, want)
			}
			time.Sleep(leastTime)
		}
	})
}
