package serve

import (
	"tidepool/internal/server"
	"tidepool/lsp"
	"tidepool/protocol"
)

// languageServers connects clients of the socket to the project's language servers.
type languageServers struct{ project *lsp.Project }

// Attach finds the server of a language.
func (s languageServers) Attach(r *protocol.LSPAttach) (server.LanguageServer, error) {
	proxy, err := s.project.Proxy(lsp.ProxyOptions{Language: r.Language, Dir: r.Cwd})
	if err != nil {
		return nil, err // not the nil *lsp.Proxy, which would be a server
	}
	return proxy, nil
}
