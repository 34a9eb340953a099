package statuspage

import (
	"fmt"
	"strings"

	"tidepool/controlserver/internal/page"
	"tidepool/protocol"
)

// printMemory writes what the daemon and all that it has started occupy, by whom, and what they may.
func printMemory(p *page.Page, m *protocol.MemoryState) {
	if m == nil || m.OccupiedBytes == 0 {
		return
	}
	var parts []string
	for _, o := range m.Occupants {
		parts = append(parts, fmt.Sprintf("%s %d", o.Name, max(1, o.Bytes>>20)))
	}
	by := strings.Join(parts, ", ")
	switch {
	case m.BudgetBytes == 0:
		p.Row(page.Odd, "memory", fmt.Sprintf("%d MB: %s; no budget: %s. Set memory.budget", m.OccupiedBytes>>20, by, m.BudgetReason))
	case m.OccupiedBytes > m.BudgetBytes:
		p.Row(page.Odd, "memory", fmt.Sprintf("%d MB, over the budget of %d (%s): %s", m.OccupiedBytes>>20, m.BudgetBytes>>20, m.BudgetReason, by))
	default:
		p.Row(page.Plain, "memory", fmt.Sprintf("%d of %d MB (%s): %s", m.OccupiedBytes>>20, m.BudgetBytes>>20, m.BudgetReason, by))
	}
	if m.Stuck != "" {
		p.Row(page.Bad, "", m.Stuck)
	}
}
