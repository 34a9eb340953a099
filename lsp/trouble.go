package lsp

// fail takes note of trouble that lasts until somebody recovers from it.
func (p *progress) fail(trouble string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trouble = trouble
	p.update()
}

// recovers forgets the trouble and says whether there was any.
func (p *progress) recovers() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	had := p.trouble != ""
	p.trouble = ""
	return had
}
