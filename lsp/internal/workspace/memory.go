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
	usage, _, candidates := w.measure(ctx)
	usage.Stuck = usage.excess() > 0 && len(evictions(time.Now(), usage.excess(), candidates)) == 0
	return usage
}

// excess returns the bytes that are occupied beyond the budget.
func (u *MemoryUsage) excess() int64 {
	if u.Budget == 0 {
		return 0
	}
	return u.Total - u.Budget
}

// measure looks at all processes, has each server take note of what it occupies, and returns those that run, and each as the budget sees it.
func (w *Workspace) measure(ctx context.Context) (usage MemoryUsage, servers []*Server, candidates []candidate) {
	own, children := process.Resident(ctx, os.Getpid())
	usage = MemoryUsage{Budget: w.limits.Budget, Own: own, Total: own}
	for _, s := range w.Servers() {
		pid, c := s.weigh(children)
		if pid == 0 {
			continue
		}
		delete(children, pid)
		servers, candidates = append(servers, s), append(candidates, c)
		usage.Total += c.bytes
		usage.Servers = append(usage.Servers, Occupant{Name: s.Name(), Bytes: c.bytes})
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
	return usage, servers, candidates
}

// weigh takes note of what the server's processes occupy. pid is 0 if it has none.
func (s *Server) weigh(children map[int]process.Child) (pid int, c candidate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil {
		return 0, candidate{}
	}
	pid = s.session.PID()
	if bytes := children[pid].Bytes; bytes > 0 {
		s.memory.measure(time.Now(), bytes, s.session.Progress.Settled())
	}
	linked := s.tree != nil && s.tree != s.workspace.Main
	return pid, candidate{footprint: s.memory, drafts: s.drafts != nil, linked: linked, held: s.holds > 0, asked: s.asked}
}

// EnforceBudget measures, and has others, then servers give memory back if all together occupy more than the budget.
func (w *Workspace) EnforceBudget() {
	usage, servers, candidates := w.measure(w.ctx)
	excess := usage.excess()
	if excess > 0 && w.limits.GiveWay != nil && w.limits.GiveWay() {
		return // what that gives back shows at the next look
	}
	for _, r := range evictions(time.Now(), excess, candidates) {
		s := servers[r.index]
		why := fmt.Sprintf("%d MB are occupied, more than the budget of %d MB", usage.Total>>20, usage.Budget>>20)
		if r.restart {
			s.evict(overBudget, true, fmt.Sprintf("%s, and it has grown from %d MB to %d MB", why, candidates[r.index].needs>>20, candidates[r.index].bytes>>20))
			continue
		}
		s.evict(overBudget, false, why)
	}
}

// evict stops the server for a cause, and starts it again if restart says so, unless somebody waits for it.
func (s *Server) evict(why cause, restart bool, reason string) {
	what := "stopped: "
	if restart {
		what = "restarted: "
	}
	if !s.rest(what + reason) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memory.noteEviction(time.Now(), why, restart)
	if restart {
		s.restarts++
		s.startLocked() // what goes wrong shows in the next View
	}
}
