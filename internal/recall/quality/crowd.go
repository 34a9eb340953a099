package quality

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"

	"tidepool/internal/recall/memory"
)

// turns is how many memories a session of a crowd has at most.
const turns = 25

// crowd returns so many memories of no dialogue, for a store to be as large as one that is published without the dialogues that are not to
// be fitted on: sentences of the comments of Go's sources, a file's in one session.
func crowd(ctx context.Context, size int) ([]memory.Memory, error) {
	goroot, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("asking go for its sources: %w", err)
	}
	var memories []memory.Memory
	src := filepath.Join(strings.TrimSpace(string(goroot)), "src")
	err = filepath.WalkDir(src, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case len(memories) >= size:
			return filepath.SkipAll
		case entry.IsDir() && entry.Name() == "testdata":
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		sentences, err := comments(name)
		for i, sentence := range sentences[:min(len(sentences), turns)] {
			memories = append(memories, memory.Memory{
				Project: memory.Project{Key: "go"}, Content: sentence, Session: name, Turn: i, Alpha: 1, Beta: 1,
			})
		}
		return err
	})
	return memories[:min(len(memories), size)], err
}

// comments returns the sentences of the comments of a Go file, but for the licence at its head.
func comments(name string) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var sentences []string
	for _, group := range file.Comments {
		text := strings.ReplaceAll(strings.TrimSpace(group.Text()), "\n", " ")
		if strings.HasPrefix(text, "Copyright ") {
			continue
		}
		for sentence := range strings.SplitSeq(text, ". ") {
			if strings.Contains(sentence, " ") {
				sentences = append(sentences, sentence)
			}
		}
	}
	return sentences, nil
}
