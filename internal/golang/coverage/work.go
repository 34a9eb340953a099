package coverage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tidepool/internal/wording"
)

// errYields says that somebody waits for other packages.
var errYields = errors.New("others are wanted first")

// work does what there is to do until the keeper is closed.
func (k *Keeper) work() {
	for k.ctx.Err() == nil {
		t, ctx := k.next()
		switch {
		case t == nil:
			select {
			case <-k.wake:
			case <-k.ctx.Done():
			}
		case t.dir == "":
			k.survey(ctx, t.of)
		default:
			k.measure(ctx, *t)
		}
	}
}

// next takes the next task, nil if there is none, and what it is done under.
func (k *Keeper) next() (*task, context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.current != nil {
		k.current.cancel(nil)
		k.current = nil
	}
	t := k.pick()
	if t == nil {
		return nil, nil
	}
	ctx, cancel := context.WithCancelCause(k.ctx)
	k.current = &measuring{*t, cancel}
	return t, ctx
}

// pick is called with mu held.
func (k *Keeper) pick() *task {
	for len(k.urgent) > 0 {
		t := k.urgent[0]
		k.urgent = k.urgent[1:]
		if k.allowed(t.of.dir) == nil {
			return &t
		}
		if s := t.of.states[t.dir]; s != nil {
			k.settle(s)
		}
	}
	for _, m := range k.modules {
		if k.allowed(m.dir) != nil {
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

// survey looks at a module, and plans to measure all of it.
func (k *Keeper) survey(ctx context.Context, m *module) {
	n, err := k.look(ctx, m)
	k.mu.Lock()
	defer k.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	defer k.announce()
	m.surveyed, m.problem = true, err
	if err != nil {
		return
	}
	k.take(m, n)
	for _, dir := range slices.Sorted(maps.Keys(n.keys)) {
		if s := m.states[dir]; s.due() && !s.waiting {
			s.waiting = true
			m.later = append(m.later, dir)
		}
	}
}

// measure measures a package as it is now.
func (k *Keeper) measure(ctx context.Context, t task) {
	before, err := k.look(ctx, t.of)
	s, key := k.begin(ctx, t, before, err)
	if s == nil {
		return
	}
	r := newRecorder(t.of.dir, t.dir, key)
	cpu, err := k.options.Measure(ctx, t.of.dir, []string{t.dir}, r.add, r.fail)
	if err == nil && len(r.record.Tests) == 0 && r.record.Reason != "" {
		err = errors.New(r.record.Reason)
	}
	after, gone := k.read(ctx, t.of.dir)
	changed := gone != nil || after.packages[t.dir] == nil || after.key(t.dir) != key // then the record is of no state of the files
	var trouble error
	if err == nil && !changed {
		trouble = k.store.save(before.path, &r.record)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	t.of.spent += cpu
	switch {
	case ctx.Err() != nil:
		k.putBack(ctx, t, s)
		return
	case changed:
	case err != nil:
		s.failed, s.reason = key, wording.OneLine(err.Error())
	default:
		s.record, k.trouble = &r.record, trouble
	}
	k.settle(s)
}

// begin looks whether a package is still to be measured, and the key of its files; nil if it is not.
func (k *Keeper) begin(ctx context.Context, t task, now news, err error) (s *state, key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s = t.of.states[t.dir]; s == nil {
		return nil, ""
	}
	if ctx.Err() != nil {
		k.putBack(ctx, t, s)
		return nil, ""
	}
	if err == nil {
		k.take(t.of, now)
	}
	switch {
	case t.of.states[t.dir] == nil || err != nil || !s.due():
	case t.of.spent >= k.options.Limit:
		s.failed, s.reason = s.key, fmt.Sprintf("the %.0f minutes of processor time for them are used up", k.options.Limit.Minutes())
	default:
		return s, s.key
	}
	k.settle(s)
	return nil, ""
}

// putBack has a package wait again that was cut short. Called with mu held.
func (k *Keeper) putBack(ctx context.Context, t task, s *state) {
	if errors.Is(context.Cause(ctx), errYields) {
		t.of.later = slices.Insert(t.of.later, 0, t.dir)
		return
	}
	k.settle(s)
}

// demand has packages measured before all others, in this order. Those that are not due are left alone. Called with mu
// held.
func (k *Keeper) demand(m *module, dirs []string) (waiting []*state) {
	for _, dir := range dirs {
		s := m.states[dir]
		if s == nil || !s.due() || slices.Contains(waiting, s) {
			continue
		}
		s.waiting = true
		waiting = append(waiting, s)
		m.later = slices.DeleteFunc(m.later, func(other string) bool { return other == dir })
		if now := k.current; now != nil && now.of == m && now.dir == dir {
			now.urgent = true
			continue
		}
		if !slices.ContainsFunc(k.urgent, func(t task) bool { return t.of == m && t.dir == dir }) {
			k.urgent = append(k.urgent, task{m, dir, true})
		}
	}
	if now := k.current; now != nil && !now.urgent && now.dir != "" && len(k.urgent) > 0 {
		now.cancel(errYields)
	}
	return waiting
}
