package python

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// A file that goes while the question is answered ends the answer, and nothing else.
func TestRelatedOfAFileThatIsGone(t *testing.T) {
	var memory query.Memory
	q := memory.Query(nil, t.TempDir(), nil)
	of := lsp.Symbol{Name: "C", Kind: lsp.KindClass, Location: lsp.At(filepath.Join(t.TempDir(), "gone.py"), 1, 7)}
	if _, err := related(t.Context(), q, of, nil, &query.CallSites{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
