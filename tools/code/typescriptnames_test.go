package code

import (
	"strings"
	"testing"

	"tidepool/lsp"
	"tidepool/tools/internal/toolstest"
)

// The names that people give to what is assigned to a member, and to functions that variables hold, mean the same with the file before
// them and without.
func TestTypeScriptNames(t *testing.T) {
	c := over(toolstest.ServeFile(t, "typescript", "namestypescript"))
	for names, want := range map[string]string{
		"app.use use app.js:use app.js:app.use":                                   "app.js:4 call, use.js:6 call, use.js:7 value",
		"app.handle app.js:app.handle":                                            "app.js:2 call, use.js:7 call",
		"Foo.prototype.draw foo.js:Foo.prototype.draw":                            "use.js:8 call",
		"Foo.draw foo.js:Foo.draw":                                                "use.js:9 call",
		"Foo.prototype.point Foo.point point foo.js:point":                        "foo.js:2 call",
		"paint Bar.prototype.paint":                                               "use.js:10 call",
		"Bar.draw Bar.prototype.draw":                                             "use.js:11 call",
		"exports.text module.exports.text text text.js:text text.js:exports.text": "use.js:12 call, use.js:13 call",
		"exports.etag etag text.js:etag":                                          "use.js:14 call",
		"make text.js:make":                                                       "text.js:2 call",
		"exports.named":                                                           "use.js:15 call",
		"module.exports.raw exports.raw raw text.js:raw":                          "use.js:16 call",
		"exports.self inner":                                                      "text.js:7 call, use.js:17 call",
		"arrow a.ts:arrow":                                                        "a.ts:3 value, a.ts:5 call, b.ts:3 call, b.ts:4 call, b.ts:5 value, b.ts:6 value, c.ts:2 call",
		"held a.ts:held":                                                          "b.ts:5 value, b.ts:7 call",
		"split a.ts:split":                                                        "b.ts:8 value",
		"a.ts:6:run":                                                              "a.ts:10 call, a.ts:11 value, a.ts:16 call",
		"a.ts:7:close":                                                            "a.ts:9 call, a.ts:11 value",
		"other.run Closer.close closer.close wrapped a.ts:wrapped a.ts:13:run mock.run": "",
	} {
		for name := range strings.FieldsSeq(names) {
			out := asked(t, c, name)
			if got := placesOf(c, out); got != want || out.DefinitionFile == nil || out.Completeness.State != lsp.Complete {
				t.Errorf("%s: %s (%s), want %s\n%s", name, got, out.Completeness.State, want, out.Text())
			}
		}
	}
	for name, want := range map[string]string{
		"draw":        "Foo.prototype.draw Foo.draw Bar.draw",
		"foo.js:draw": "foo.js:Foo.prototype.draw foo.js:Foo.draw",
		"a.ts:run":    "a.ts:6:run a.ts:other.run a.ts:13:run",
	} {
		var got []string
		for _, candidate := range asked(t, c, name).Candidates {
			got = append(got, candidate.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s may be %q, want %s", name, got, want)
		}
	}
}
