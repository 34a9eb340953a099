package serve

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/config"
	"tidepool/lsp"
)

func TestLanguages(t *testing.T) {
	table := []lsp.Language{
		{ID: "go", Command: []string{"gopls"}, Settings: map[string]any{"symbolStyle": "Full"}},
		{ID: "rust", Command: []string{"rust-analyzer"}},
	}
	got := Languages(table, map[string]config.Language{
		"go":   {Command: []string{"/opt/gopls", "-v"}, Settings: map[string]any{"symbolStyle": "Package", "buildFlags": "-tags=x"}},
		"rust": {Disabled: true},
	})
	want := []lsp.Language{{
		ID: "go", Command: []string{"/opt/gopls", "-v"},
		Settings: map[string]any{"symbolStyle": "Full", "buildFlags": "-tags=x"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(table, Languages(table, nil)); diff != "" {
		t.Errorf("no changes change the table (-want +got)\n%s", diff)
	}
}

func TestJoined(t *testing.T) {
	type object = map[string]any
	table := object{"style": "Full", "files": []any{"**/ours"}, "nested": object{"cache": false, "list": []any{1}}, "kind": object{}}
	added := object{"style": "Short", "files": []any{"**/theirs"}, "nested": object{"cache": true, "strict": true}, "kind": "text", "more": []any{}}
	want := object{
		"style": "Full", "files": []any{"**/ours", "**/theirs"}, "more": []any{}, "kind": object{},
		"nested": object{"cache": false, "list": []any{1}, "strict": true},
	}
	if diff := cmp.Diff(want, joined(table, added)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]any{"**/ours"}, table["files"]); diff != "" {
		t.Errorf("the table has changed (-want +got)\n%s", diff)
	}
}

// lsp takes nil for the whole table, so that nothing left must not be nil.
func TestLanguagesNoneLeft(t *testing.T) {
	if got := Languages(lsp.Languages()[:1], map[string]config.Language{"go": {Disabled: true}}); got == nil || len(got) != 0 {
		t.Errorf("languages = %#v, want an empty list", got)
	}
}
