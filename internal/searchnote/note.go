package searchnote

import (
	"context"
	"reflect"
	"time"

	"tidepool/internal/hook"
)

// before has a search looked up that begins now. It waits for nothing.
func (c *Contributor) before(e *hook.Event, s Search) {
	c.begunFor(e).drop() // a hook that came twice
	if begun := c.lookups.start(e.From.ID, e.ToolUseID, s, c.describe); begun != nil {
		c.lookups.keep(begun)
	}
}

// begunFor takes the lookup that was begun before a tool's use; nil if there is none.
func (c *Contributor) begunFor(e *hook.Event) *lookup {
	return c.lookups.take(func(one *lookup) bool { return !one.late && one.use == e.ToolUseID && one.asker == e.From.ID })
}

// after returns the note for a search that has ended, or else for an earlier one of the conversation. It waits for the budget at most,
// of which a quarter is for the earlier one.
func (c *Contributor) after(ctx context.Context, e *hook.Event, budget time.Duration) []string {
	if search, ok := Of(e); ok {
		ctx, cancel := context.WithTimeout(ctx, budget-budget/4)
		defer cancel()
		if lines := c.searched(ctx, e, search); len(lines) > 0 {
			return lines
		}
	}
	return c.overdue(ctx, e, budget/4)
}

// searched returns the note for a search that has ended.
func (c *Contributor) searched(ctx context.Context, e *hook.Event, s Search) []string {
	begun := c.begunFor(e)
	if c.noted.has(e.From.ID, s.Name) {
		begun.drop()
		return nil
	}
	c.searches.Add(1)
	if begun == nil || !reflect.DeepEqual(begun.search, s) {
		begun.drop()
		begun = c.lookups.take(func(one *lookup) bool { return one.late && one.asker == e.From.ID && reflect.DeepEqual(one.search, s) })
	}
	if begun != nil {
		if isDone, holds := c.lookups.await(ctx, begun); isDone && holds {
			return c.told(e, begun)
		} else if !isDone {
			return c.postponed(begun)
		}
	}
	if begun = c.lookups.start(e.From.ID, e.ToolUseID, s, c.describe); begun == nil {
		return c.postponed(nil)
	}
	switch isDone, holds := c.lookups.await(ctx, begun); {
	case !isDone:
		return c.postponed(begun)
	case !holds: // changes follow each other
		return nil
	}
	return c.told(e, begun)
}

// postponed keeps a lookup that is not ready in time for a later hook.
func (c *Contributor) postponed(begun *lookup) []string {
	c.late.Add(1)
	if begun != nil {
		begun.late = true
		c.lookups.keep(begun)
	}
	return nil
}

// overdue returns the note for an earlier search of the conversation that has become ready, and holds.
func (c *Contributor) overdue(ctx context.Context, e *hook.Event, budget time.Duration) []string {
	isReady := func(one *lookup) bool {
		return one.late && one.asker == e.From.ID && one.isDone()
	}
	for ready := c.lookups.take(isReady); ready != nil; ready = c.lookups.take(isReady) {
		ctx, cancel := context.WithTimeout(ctx, budget)
		_, holds := c.lookups.await(ctx, ready)
		cancel()
		if !holds || time.Since(ready.begun) > maxLate {
			continue
		}
		if lines := c.told(e, ready); len(lines) > 0 {
			c.late.Add(-1)
			return lines
		}
	}
	return nil
}

// told returns the lines of a lookup, if the conversation has not read them yet, and notes that it reads them now.
func (c *Contributor) told(e *hook.Event, of *lookup) []string {
	if len(of.found.Lines) == 0 || !c.noted.add(e.From.ID, of.search.Name) {
		return nil
	}
	c.answered.Add(1)
	return of.found.Lines
}
