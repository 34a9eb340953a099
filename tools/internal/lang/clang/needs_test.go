package clang

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/tools/internal/query"
)

// Behind each line stands what a build needs to have it.
func TestClangNeeds(t *testing.T) {
	text := `#ifndef HEAD_H //
#define HEAD_H //
int a; //
#ifdef X // defined(X)
int b; // defined(X)
#else // !defined(X)
int c; // !defined(X)
#  if Y > 1 || Z // !defined(X) && (Y > 1 || Z)
int d; // !defined(X) && (Y > 1 || Z)
#  elif defined(W) // !defined(X) && !(Y > 1 || Z) && defined(W)
int e; // !defined(X) && !(Y > 1 || Z) && defined(W)
#  endif // !defined(X)
#endif //
/*
#if 0
*/
int f; //
#ifndef NO //  !defined(NO)
int g; // !defined(NO)
#else // defined(NO)
int h; // defined(NO)
#endif //
#endif
`
	q, path := file(t, text)
	needs := needsOf(q, path)
	for i, line := range strings.Split(text, "\n") {
		_, want, ok := strings.Cut(line, "//")
		if got := needs(i + 1); ok && got != strings.TrimSpace(want) {
			t.Errorf("%d %s: %q", i+1, line, got)
		}
	}
	if needs(0) != "" || needs(99) != "" || needsOf(q, path+".none") != nil {
		t.Error("something is known of what is not there")
	}
}

func file(t *testing.T, text string) (*query.Query, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "head.h")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return new(query.Memory).Query(nil, "", func(string) query.Language { return Language().Language }), path
}
