package session

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

func (s *Session) handshake(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, handshakeTimeout)
	defer cancel()
	params, err := json.Marshal(withClients(s.introduction()))
	if err != nil {
		return fmt.Errorf("encoding the settings of %s: %w", s.Language.Name, err)
	}
	if err := protocol.Call(ctx, s.conn, protocol.MethodInitialize, protocol.LSPAny(params), &s.Capabilities); err != nil {
		return err
	}
	return s.conn.Notify(ctx, protocol.MethodInitialized, protocol.InitializedParams{})
}

// introduction is our side of the initialize request.
func (s *Session) introduction() map[string]any {
	folders := WireFolders(s.workspace())
	options := s.Language.Settings
	if s.Language.Options != nil {
		options = s.Language.Options(s)
	}
	return map[string]any{
		"processId":             os.Getpid(),
		"clientInfo":            map[string]any{"name": "tidepool"},
		"rootUri":               folders[0]["uri"],
		"workspaceFolders":      folders,
		"initializationOptions": options,
		"capabilities":          merge(capabilities(), s.Language.Capabilities),
	}
}

// workspace returns the workspace folders of the server: its roots, or, if it takes only one, where it works.
func (s *Session) workspace() []string {
	dirs := s.Folders()
	if !s.Language.Folders || len(dirs) == 0 {
		return []string{s.Dir}
	}
	return dirs
}

// WireFolders are directories as the protocol writes workspace folders.
func WireFolders(dirs []string) []map[string]any {
	folders := make([]map[string]any, len(dirs))
	for i, dir := range dirs {
		folders[i] = map[string]any{"uri": text.URI(dir), "name": filepath.Base(dir)}
	}
	return folders
}

// capabilities returns what we can do for every server.
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

// withClients completes our side of the initialize request by what only clients of proxies do. Edits come without
// versions, because those that the server knows are not a client's.
func withClients(introduction map[string]any) map[string]any {
	type object = map[string]any
	capabilities := introduction["capabilities"].(object)
	for name, more := range map[string]object{
		"workspace": {"applyEdit": true, "executeCommand": object{}, "workspaceEdit": object{}},
		"textDocument": {
			"completion": object{"completionItem": object{
				"documentationFormat": []string{"markdown", "plaintext"}, "deprecatedSupport": true, "labelDetailsSupport": true,
			}},
			"signatureHelp": object{"signatureInformation": object{
				"documentationFormat": []string{"markdown", "plaintext"}, "parameterInformation": object{"labelOffsetSupport": true},
			}},
			"declaration":       object{},
			"documentHighlight": object{},
			"codeAction": object{"codeActionLiteralSupport": object{"codeActionKind": object{"valueSet": []string{
				"quickfix", "refactor", "refactor.extract", "refactor.inline", "refactor.rewrite", "source", "source.organizeImports",
			}}}},
			"codeLens":           object{},
			"documentLink":       object{},
			"formatting":         object{},
			"rangeFormatting":    object{},
			"rename":             object{"prepareSupport": true},
			"foldingRange":       object{"lineFoldingOnly": true},
			"selectionRange":     object{},
			"linkedEditingRange": object{},
			"typeHierarchy":      object{},
			"inlayHint":          object{},
			"semanticTokens": object{
				"requests": object{"range": true, "full": true}, "formats": []string{"relative"},
				"tokenTypes": semanticTypes(), "tokenModifiers": semanticModifiers(),
			},
		},
	} {
		known := capabilities[name].(object)
		for key, value := range more {
			if _, ok := known[key]; !ok {
				known[key] = value
			}
		}
	}
	return introduction
}

// semanticTypes returns the types of semantic tokens that the protocol names.
func semanticTypes() []string {
	return []string{"namespace", "type", "class", "enum", "interface", "struct", "typeParameter", "parameter", "variable",
		"property", "enumMember", "event", "function", "method", "macro", "keyword", "modifier", "comment", "string",
		"number", "regexp", "operator", "decorator", "label"}
}

// semanticModifiers are their modifiers.
func semanticModifiers() []string {
	return []string{"declaration", "definition", "readonly", "static", "deprecated", "abstract", "async", "modification",
		"documentation", "defaultLibrary"}
}
