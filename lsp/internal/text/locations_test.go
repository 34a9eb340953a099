package text

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// wirePlaces writes locations as gopls does, each in a file of its own.
func wirePlaces(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`{"uri":"file:///home/someone/project/part/p%03d/p%03d.go","range":{"start":{"line":9,"character":9},"end":{"line":9,"character":14}}}`, i, i))
	}
	return "[" + strings.Join(all, ",") + "]"
}

const (
	placeOfClangd = `{"range":{"end":{"character":14,"line":9},"start":{"character":0,"line":9}},"uri":"file:///a.c"}`
	placeSpaced   = `{"uri": "file:///a.go", "range": {"start": {"line": 9, "character": 9}, "end": {"line": 9, "character": 14}}}`
	placeEscaped  = `{"uri":"file:///\u0061.go","range":{"start":{"line":9,"character":9},"end":{"line":9,"character":14}}}`
	placeForeign  = `{"uri":"file:///ä.go","range":{"start":{"line":9,"character":9},"end":{"line":9,"character":14}}}`
	placeEncoded  = `{"uri":"file:///C%3A/a%20b.ts","range":{"start":{"line":9,"character":9},"end":{"line":9,"character":14}}}`
	placeFar      = `{"uri":"file:///a.go","range":{"start":{"line":0,"character":4294967295},"end":{"line":9,"character":14}}}`
	placeMore     = `{"uri":"file:///a.go","range":{"start":{"line":9,"character":9},"end":{"line":9,"character":14}},"more":1}`
)

func TestScanPlaces(t *testing.T) {
	for _, c := range []struct {
		data string
		ok   bool
	}{
		{"[]", true}, {wirePlaces(3), true}, {"[" + placeOfClangd + "," + placeOfClangd + "]", true}, {"[" + placeEncoded + "]", true},
		{"null", false}, {"", false}, {"[", false}, {"[,]", false}, {"[" + placeOfClangd, false}, {placeOfClangd, false},
		{"[" + placeOfClangd + ",]", false}, {"[]x", false}, {"[" + placeSpaced + "]", false}, {"[" + placeEscaped + "]", false},
		{"[" + placeForeign + "]", false}, {"[" + placeFar + "]", false}, {"[" + placeMore + "]", false},
		{strings.Replace(wirePlaces(1), "9", "09", 1), false}, {strings.Replace(wirePlaces(1), `"line":9`, `"line":-9`, 1), false},
	} {
		list, ok := scanLocations([]byte(c.data))
		if ok != c.ok {
			t.Errorf("%s: %v %t", c.data, list, ok)
		}
		checkPlaces(t, []byte(c.data))
	}
}

// checkPlaces compares what Locations make of an answer with what the protocol package does.
func checkPlaces(t *testing.T, data []byte) {
	t.Helper()
	var list protocol.LocationSlice
	want := protocol.Unmarshal(data, &list)
	var got Locations
	if err := got.Decode(data); (err == nil) != (want == nil) {
		t.Errorf("%q: %v, want %v", data, err, want)
	} else if err == nil && !slices.Equal(got, Locations(list)) {
		t.Errorf("%q: %v, want %v", data, got, list)
	}
}

func FuzzPlaces(f *testing.F) {
	for _, place := range []string{placeOfClangd, placeSpaced, placeEscaped, placeForeign, placeEncoded, placeFar, placeMore} {
		f.Add([]byte("[" + place + "]"))
	}
	f.Add([]byte(wirePlaces(3)))
	f.Fuzz(checkPlaces)
}

func BenchmarkPlaces(b *testing.B) {
	data := []byte(wirePlaces(25))
	for _, by := range []struct {
		name   string
		decode func() error
	}{
		{"scan", func() error { return new(Locations).Decode(data) }},
		{"protocol", func() error { return protocol.Unmarshal(data, new(protocol.LocationSlice)) }},
	} {
		b.Run(by.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := by.decode(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestPlacesIn(t *testing.T) {
	span := `{"start":{"line":1,"character":2},"end":{"line":1,"character":3}}`
	other := `{"start":{"line":0,"character":0},"end":{"line":9,"character":0}}`
	for result, want := range map[string]int{
		"":     0,
		"null": 0,
		"[]":   0,
		`{"uri":"file:///a","range":` + span + `}`:                                                                                        1,
		`[{"uri":"file:///a","range":` + span + `},{"uri":"file:///a","range":` + span + `}]`:                                             2,
		`[{"targetUri":"file:///a","targetRange":` + other + `,"targetSelectionRange":` + span + `}]`:                                     1,
		` {"targetUri":"file:///a","targetRange":` + other + `,"targetSelectionRange":` + span + `,"originSelectionRange":` + other + `}`: 1,
	} {
		found, err := ReadLocations([]byte(result))
		if err != nil || len(found) != want {
			t.Errorf("%s: %v, %v", result, found, err)
		}
		for _, at := range found {
			if Path(at.URI) != "/a" || at.Range.Start.Line != 1 || at.Range.Start.Character != 2 {
				t.Errorf("%s: %+v", result, at)
			}
		}
	}
	if _, err := ReadLocations([]byte(`"x"`)); err == nil {
		t.Error("no error")
	}
}
