package serve

import (
	"tidepool/internal/server"
	"tidepool/lsp"
	"tidepool/protocol"
)

// languageServers lets clients of the socket use the language servers of the project.
type languageServers struct{ project *lsp.Project }

// Attach finds the server of a language.
func (s languageServers) Attach(r *protocol.LSPAttach) (server.LanguageServer, error) {
	proxy, err := s.project.Proxy(lsp.ProxyOptions{Language: r.Language, Dir: r.Cwd})
	if err != nil {
		return nil, err // not the nil *lsp.Proxy, which would be a server
	}
	return proxy, nil
}
