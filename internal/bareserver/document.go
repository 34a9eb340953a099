package bareserver

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"tidepool/lsp"
)

// KeepOpen opens a file as it is on the disk, unless it is open.
func (s *Server) KeepOpen(ctx context.Context, path string) error {
	relative, err := filepath.Rel(s.dir, path)
	if err != nil || s.open[filepath.ToSlash(relative)] {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return s.Change(ctx, filepath.ToSlash(relative), string(text))
}

// Holds reports whether the server has a file open, by its slash path below the project.
func (s *Server) Holds(path string) bool { return s.open[path] }

// Change gives the server a text of a file, by its slash path below the project; the file is opened if need be. Bytes that are no
// UTF-8, as in comments of old sources, are replaced: JSON cannot hold them.
func (s *Server) Change(ctx context.Context, path, text string) error {
	text = strings.ToValidUTF8(text, "\uFFFD")
	at := string(uri.File(filepath.Join(s.dir, path)))
	s.versions[path]++
	version := s.versions[path]
	if !s.open[path] {
		s.open[path] = true
		id := s.language.ID
		if s.language.LanguageID != nil {
			id = s.language.LanguageID(path)
		}
		return s.conn.Notify(ctx, "textDocument/didOpen", object{
			"textDocument": object{"uri": at, "languageId": id, "version": version, "text": text},
		})
	}
	return s.conn.Notify(ctx, "textDocument/didChange", object{
		"textDocument":   object{"uri": at, "version": version},
		"contentChanges": []object{{"text": text}},
	})
}

// Close ends what KeepOpen or Change began: the server reads the file from the disk again. Give it the text of the disk before: clangd
// remembers what it found in the text that it was shown last.
func (s *Server) Close(ctx context.Context, path string) error {
	if !s.open[path] {
		return nil
	}
	delete(s.open, path)
	document := object{"uri": string(uri.File(filepath.Join(s.dir, path)))}
	return s.conn.Notify(ctx, "textDocument/didClose", object{"textDocument": document})
}

// References returns the uses of the name at a place, without its declaration.
func (s *Server) References(ctx context.Context, at lsp.Location) (found []protocol.Location, err error) {
	_, err = s.conn.Call(ctx, "textDocument/references", object{
		"textDocument": object{"uri": string(uri.File(at.Path))},
		"position":     object{"line": at.Range.Start.Line - 1, "character": at.Range.Start.Column - 1},
		"context":      object{"includeDeclaration": false},
	}, &found)
	return found, err
}

// Implementations asks for what implements the method at a place, or what it implements.
func (s *Server) Implementations(ctx context.Context, at lsp.Location) (found []protocol.Location, err error) {
	_, err = s.conn.Call(ctx, "textDocument/implementation", object{
		"textDocument": object{"uri": string(uri.File(at.Path))},
		"position":     object{"line": at.Range.Start.Line - 1, "character": at.Range.Start.Column - 1},
	}, &found)
	return found, err
}

// Symbols counts the declarations of a name, by the request that lsp makes.
func (s *Server) Symbols(ctx context.Context, name string) (int, error) {
	if s.language.ID == "typescript" {
		return s.navigate(ctx, name)
	}
	if s.language.Exact != nil {
		name = s.language.Exact(name)
	}
	var found []any
	_, err := s.conn.Call(ctx, "workspace/symbol", object{"query": name}, &found)
	return len(found), err
}

// navigate asks tsserver about all projects, which workspace/symbol does not.
func (s *Server) navigate(ctx context.Context, name string) (int, error) {
	var reply struct {
		Body []any `json:"body"`
	}
	arguments := []any{"navto", object{"searchValue": name, "maxResultCount": 2000}}
	_, err := s.conn.Call(ctx, "workspace/executeCommand", object{"command": "typescript.tsserverRequest", "arguments": arguments}, &reply)
	return len(reply.Body), err
}
