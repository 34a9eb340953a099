package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/text"
)

// handshakeTimeout bounds the initialize request. Servers answer it before they load anything.
const handshakeTimeout = time.Minute

func (s *session) handshake(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, handshakeTimeout)
	defer cancel()
	params, err := json.Marshal(withGuests(s.introduction()))
	if err != nil {
		return fmt.Errorf("encoding the settings of %s: %w", s.language.Name, err)
	}
	if err := protocol.Call(ctx, s.conn, protocol.MethodInitialize, protocol.LSPAny(params), &s.abilities); err != nil {
		return err
	}
	return s.conn.Notify(ctx, protocol.MethodInitialized, protocol.InitializedParams{})
}

// introduction is our side of the initialize request.
func (s *session) introduction() map[string]any {
	folders := wireFolders(s.workspace())
	options := s.language.Settings
	if s.language.Options != nil {
		options = s.language.Options(s)
	}
	return map[string]any{
		"processId":             os.Getpid(),
		"clientInfo":            map[string]any{"name": "tidepool"},
		"rootUri":               folders[0]["uri"],
		"workspaceFolders":      folders,
		"initializationOptions": options,
		"capabilities":          merge(capabilities(), s.language.Capabilities),
	}
}

// workspace are the workspace folders of the server: its roots, or, if it takes only one, where it works.
func (s *session) workspace() []string {
	dirs := s.folders()
	if !s.language.Folders || len(dirs) == 0 {
		return []string{s.dir}
	}
	return dirs
}

func wireFolders(dirs []string) []map[string]any {
	folders := make([]map[string]any, len(dirs))
	for i, dir := range dirs {
		folders[i] = map[string]any{"uri": text.URI(dir), "name": filepath.Base(dir)}
	}
	return folders
}

// capabilities are what we can do for every server.
func capabilities() map[string]any {
	type object = map[string]any
	return object{
		"general": object{"positionEncodings": []string{"utf-16"}},
		"window":  object{"workDoneProgress": true},
		"workspace": object{
			"configuration":         true,
			"workspaceFolders":      true,
			"didChangeWatchedFiles": object{"dynamicRegistration": true},
			"symbol":                object{},
		},
		"textDocument": object{
			"publishDiagnostics": object{},
			"documentSymbol":     object{"hierarchicalDocumentSymbolSupport": true},
			"hover":              object{"contentFormat": []string{"markdown", "plaintext"}},
			"definition":         object{"linkSupport": false},
			"typeDefinition":     object{"linkSupport": false},
			"implementation":     object{"linkSupport": false},
			"references":         object{},
			"callHierarchy":      object{},
		},
	}
}

// merge adds more to base, object by object. It changes base.
func merge(base, more map[string]any) map[string]any {
	for key, value := range more {
		inner, nested := value.(map[string]any)
		if old, ok := base[key].(map[string]any); ok && nested {
			value = merge(old, inner)
		}
		base[key] = value
	}
	return base
}
