package coverage

import (
	"maps"
	"slices"
	"time"

	"tidepool/internal/wording"
)

// A Status is the progress of measuring a module.
type Status struct {
	Module   string // absolute directory
	Tests    int    // that were run, of packages that are measured
	Packages int    // with tests, as they were when the module was looked at last
	Measured int    // of them
	Stale    int
	Pending  int
	Failed   int
	Waiting  int           // stale or pending ones that will be measured without being asked for again
	Reasons  []string      // why packages failed, each once; or why the module cannot be looked at
	Spent    time.Duration // of processor time
}

// Status returns the progress of the modules that were asked about, the latest first, and the error of keeping records; nil if
// they are kept.
func (c *Collector) Status() ([]Status, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []Status
	for _, m := range c.modules {
		all = append(all, m.status())
	}
	return all, c.trouble
}

func (m *module) status() Status {
	st := Status{Module: m.dir, Packages: len(m.states), Spent: m.spent}
	if m.problem != nil {
		st.Reasons = append(st.Reasons, wording.OneLine(m.problem.Error()))
	}
	if !m.surveyed {
		st.Waiting++
	}
	for _, dir := range slices.Sorted(maps.Keys(m.states)) {
		s := m.states[dir]
		p := s.tell(m.dir, dir, Target{})
		switch p.State {
		case Measured:
			st.Measured++
			st.Tests += len(p.Tests)
		case Stale:
			st.Stale++
		case Pending:
			st.Pending++
		case Failed:
			st.Failed++
			if !slices.Contains(st.Reasons, p.Reason) {
				st.Reasons = append(st.Reasons, p.Reason)
			}
		}
		if s.waiting {
			st.Waiting++
		}
	}
	return st
}
