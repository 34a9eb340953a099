package workspace

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"tidepool/lsp/internal/process"
)

// A MemoryUsage is what this program and all that it has started occupy.
type MemoryUsage struct {
	Budget  int64      // bytes that they may occupy together; 0: any
	Total   int64      // bytes that they do
	Own     int64      // of this program itself
	Servers []Occupant // the running language servers
	Others  []Occupant // whatever else it has started
	Stuck   bool       // Total is more than Budget, and nothing can be stopped now
}

// An Occupant is what some processes occupy together. A page that processes share counts for each of them.
type Occupant struct {
	Name  string // of a server; of others that of a program, as it calls itself
	Bytes int64
}

// Memory measures the memory of this program, of the servers and of what else it has started.
func (w *Workspace) Memory(ctx context.Context) MemoryUsage {
	usage, _, loads := w.measure(ctx)
	usage.Stuck = usage.excess() > 0 && len(relieve(time.Now(), usage.excess(), loads)) == 0
	return usage
}

// excess returns the bytes that are occupied beyond the budget.
func (u *MemoryUsage) excess() int64 {
	if u.Budget == 0 {
		return 0
	}
	return u.Total - u.Budget
}

// measure looks at all processes, has each server take note of what it occupies, and returns those that run with their loads.
func (w *Workspace) measure(ctx context.Context) (usage MemoryUsage, servers []*Server, loads []load) {
	own, children := process.Resident(ctx, os.Getpid())
	usage = MemoryUsage{Budget: w.limits.Budget, Own: own, Total: own}
	for _, s := range w.Servers() {
		pid, l := s.weigh(children)
		if pid == 0 {
			continue
		}
		delete(children, pid)
		servers, loads = append(servers, s), append(loads, l)
		usage.Total += l.bytes
		usage.Servers = append(usage.Servers, Occupant{Name: s.Name(), Bytes: l.bytes})
	}
	others := map[string]int64{}
	for _, c := range children {
		others[c.Name] += c.Bytes
		usage.Total += c.Bytes
	}
	for name, bytes := range others {
		usage.Others = append(usage.Others, Occupant{Name: name, Bytes: bytes})
	}
	slices.SortFunc(usage.Others, func(a, b Occupant) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Name, b.Name))
	})
	return usage, servers, loads
}

// weigh takes note of what the server's processes occupy. pid is 0 if it has none.
func (s *Server) weigh(children map[int]process.Child) (pid int, l load) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil {
		return 0, load{}
	}
	pid = s.session.PID()
	if bytes := children[pid].Bytes; bytes > 0 {
		s.memory.measure(time.Now(), bytes, s.session.Progress.Settled())
	}
	linked := s.tree != nil && s.tree != s.workspace.Main
	return pid, load{footprint: s.memory, drafts: s.drafts != nil, linked: linked, held: s.holds > 0, asked: s.asked}
}

// EnforceBudget measures, and has servers give memory back if all together occupy more than the budget.
func (w *Workspace) EnforceBudget() {
	usage, servers, loads := w.measure(w.ctx)
	excess := usage.excess()
	for _, r := range relieve(time.Now(), excess, loads) {
		s := servers[r.load]
		why := fmt.Sprintf("%d MB are occupied, more than the budget of %d MB", usage.Total>>20, usage.Budget>>20)
		if r.restart {
			s.giveBack(overBudget, true, fmt.Sprintf("%s, and it has grown from %d MB to %d MB", why, loads[r.load].needs>>20, loads[r.load].bytes>>20))
			continue
		}
		s.giveBack(overBudget, false, why)
	}
}

// giveBack stops the server for a cause, and starts it again if restart says so, unless somebody waits for it.
func (s *Server) giveBack(why cause, restart bool, reason string) {
	what := "stopped: "
	if restart {
		what = "restarted: "
	}
	if !s.rest(what + reason) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memory.giveWay(time.Now(), why, restart)
	if restart {
		s.restarts++
		s.startLocked() // what goes wrong shows in the next View
	}
}
