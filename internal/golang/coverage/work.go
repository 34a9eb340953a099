package coverage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tidepool/internal/wording"
)

// errYields means that somebody waits for other packages.
var errYields = errors.New("others are wanted first")

// work runs tasks until the collector is closed.
func (c *Collector) work() {
	for c.ctx.Err() == nil {
		t, ctx := c.next()
		switch {
		case t == nil:
			select {
			case <-c.wake:
			case <-c.ctx.Done():
			}
		case t.dir == "":
			c.survey(ctx, t.of)
		default:
			c.measure(ctx, *t)
		}
	}
}

// next returns the next task, nil if there is none, and its context.
func (c *Collector) next() (*task, context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.leave()
	t := c.pick()
	if t == nil {
		return nil, nil
	}
	ctx, cancel := context.WithCancelCause(c.ctx)
	c.current = &measuring{*t, cancel}
	return t, ctx
}

// leave ends the task at hand. It is called before mu is unlocked by what settles the task's package or queues it again: demand would take
// the package for one that is being measured, and not queue it. Callers hold mu.
func (c *Collector) leave() {
	if c.current != nil {
		c.current.cancel(nil)
		c.current = nil
	}
}

// pick chooses the next task. Callers hold mu.
func (c *Collector) pick() *task {
	for len(c.urgent) > 0 {
		t := c.urgent[0]
		c.urgent = c.urgent[1:]
		if c.allowed(t.of.dir) == nil {
			return &t
		}
		if s := t.of.states[t.dir]; s != nil {
			c.settle(s)
		}
	}
	for _, m := range c.modules {
		if c.allowed(m.dir) != nil {
			continue // the next question wakes us
		}
		switch {
		case !m.surveyed:
			return &task{of: m}
		case len(m.later) > 0:
			dir := m.later[0]
			m.later = m.later[1:]
			return &task{of: m, dir: dir}
		}
	}
	return nil
}

// survey reads a module, and plans to measure all of its packages.
func (c *Collector) survey(ctx context.Context, m *module) {
	n, err := c.look(ctx, m)
	c.mu.Lock()
	defer c.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	defer c.announce()
	m.surveyed, m.problem = true, err
	if err != nil {
		return
	}
	c.take(m, n)
	for _, dir := range slices.Sorted(maps.Keys(m.states)) { // of the latest reading, which may be another one than n
		if s := m.states[dir]; s.due() && !s.waiting {
			s.waiting = true
			m.later = append(m.later, dir)
		}
	}
}

// measure measures the present state of a package.
func (c *Collector) measure(ctx context.Context, t task) {
	before, err := c.look(ctx, t.of)
	s, key := c.begin(ctx, t, before, err)
	if s == nil {
		return
	}
	r := newRecorder(t.of.dir, t.dir, key)
	cpu, err := c.options.Measure(ctx, t.of.dir, []string{t.dir}, r.add, r.fail)
	if err == nil && len(r.record.Tests) == 0 && r.record.Reason != "" {
		err = errors.New(r.record.Reason)
	}
	after, gone := c.read(ctx, t.of.dir)
	changed := gone != nil || after.packages[t.dir] == nil || after.key(t.dir) != key // then the record is of no state of the files
	var trouble error
	if err == nil && !changed {
		trouble = c.store.save(before.path, &r.record)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.leave()
	t.of.spent += cpu
	switch {
	case ctx.Err() != nil:
		c.putBack(ctx, t, s)
		return
	case changed && !s.again:
		s.again = true
		c.repeat()
		return
	case changed: // somebody is at work there: the next question has it measured
	case err != nil:
		s.failed, s.reason = key, wording.OneLine(err.Error())
	default:
		s.record, c.trouble = &r.record, trouble
	}
	c.settle(s)
}

// begin looks whether a package is still to be measured, and the key of its files; nil if it is not.
func (c *Collector) begin(ctx context.Context, t task, now findings, err error) (s *state, key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() {
		if s == nil {
			c.leave()
		}
	}()
	if s = t.of.states[t.dir]; s == nil {
		return nil, ""
	}
	if ctx.Err() != nil {
		c.putBack(ctx, t, s)
		return nil, ""
	}
	if err == nil {
		c.take(t.of, now)
	}
	switch {
	case t.of.states[t.dir] == nil || err != nil || !s.due():
	case t.of.spent >= c.options.Limit:
		s.failed, s.reason = s.key, fmt.Sprintf("the %.0f minutes of processor time for them are used up", c.options.Limit.Minutes())
	default:
		return s, s.key
	}
	c.settle(s)
	return nil, ""
}

// putBack queues a package again whose measurement was interrupted. Callers hold mu.
func (c *Collector) putBack(ctx context.Context, t task, s *state) {
	if errors.Is(context.Cause(ctx), errYields) {
		t.of.later = slices.Insert(t.of.later, 0, t.dir)
		return
	}
	c.settle(s)
}

// repeat queues the package at hand again. Callers hold mu.
func (c *Collector) repeat() {
	if now := c.current.task; now.urgent {
		c.urgent = append(c.urgent, now)
	} else {
		now.of.later = append(now.of.later, now.dir)
	}
}

// demand puts packages before all others, in this order. It ignores those that are not due. Callers hold mu.
func (c *Collector) demand(m *module, dirs []string) (waiting []*state) {
	for _, dir := range dirs {
		s := m.states[dir]
		if s == nil || !s.due() || slices.Contains(waiting, s) {
			continue
		}
		s.waiting = true
		waiting = append(waiting, s)
		m.later = slices.DeleteFunc(m.later, func(other string) bool { return other == dir })
		if now := c.current; now != nil && now.of == m && now.dir == dir {
			now.urgent = true
			continue
		}
		if !slices.ContainsFunc(c.urgent, func(t task) bool { return t.of == m && t.dir == dir }) {
			c.urgent = append(c.urgent, task{m, dir, true})
		}
	}
	if now := c.current; now != nil && !now.urgent && now.dir != "" && len(c.urgent) > 0 {
		now.cancel(errYields)
	}
	return waiting
}
