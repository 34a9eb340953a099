package lsp

import "tidepool/lsp/internal/process"

// weigh looks at how much memory each server's processes occupy.
func (p *Project) weigh() {
	servers := map[int]*server{} // by the id of their process group
	for _, s := range p.allServers() {
		s.mu.Lock()
		if s.session != nil {
			servers[s.session.PID()] = s
		}
		s.mu.Unlock()
	}
	if len(servers) == 0 {
		return
	}
	for group, bytes := range process.Resident(p.ctx) {
		if s := servers[group]; s != nil {
			s.mu.Lock()
			s.memory = bytes
			s.mu.Unlock()
		}
	}
}
