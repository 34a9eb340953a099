package edit

import (
	"go/parser"
	"regexp"
	"slices"
	"sync"

	"tidepool/internal/golang/syntax"
)

var (
	resultList = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(?i)\\b(?:return|yield)\\w*\\s+`?(\\([^(),]*,[^()]*\\))")
	})
	furtherResult = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:also|too|as well|in addition|additionally)\b`)
	})
)

// resultsIn returns the last list of several results that words write out: "(string, bool)" of "it should return (string, bool)"; "" if
// they write none.
func resultsIn(words string) string {
	list := ""
	for _, m := range resultList().FindAllStringSubmatch(words, -1) {
		if _, err := parser.ParseExpr("func() " + m[1]); err == nil {
			list = m[1]
		}
	}
	return list
}

// furtherResult adds a result of type to, before an error at the end.
func (e *editor) furtherResult(now syntax.Signature, to string) (Revision, error) {
	typ, imports, err := e.typed(to, e.change.Detail)
	if err != nil {
		return Revision{}, err
	}
	at, further := len(now.Results), syntax.Item{Type: typ}
	if at > 0 && now.Results[0].Name != "" {
		further.Name = "_"
	}
	if at > 0 && now.Results[at-1].Type == "error" {
		at--
	}
	now.Results = slices.Insert(now.Results, at, further)
	made, err := e.made(e.file.Signature(e.at, now.String()))
	made.Add(imports)
	made.Unread = e.meansNothing(typ)
	return made, err
}
