package query

import (
	"errors"
	"strings"
	"testing"

	"tidepool/lsp"
)

func TestSymbolOfAnUnknownLanguage(t *testing.T) {
	s := lsp.Symbol{Name: "main", Language: "cobol", Location: lsp.At("/p/main.cob", 1, 1)}
	_, err := new(Memory).Query(nil, "", func(string) Language { return Language{} }).languageOf(s)
	var advice interface{ Hint() string }
	if !errors.As(err, &advice) || !strings.Contains(advice.Hint(), "/p/main.cob") {
		t.Errorf("got %v", err)
	}
}
