package fulltext

import "slices"

// maxChecked bounds the documents whose texts a search with phrases asks for. The best ones are checked first.
const maxChecked = 2000

// piecesOf returns the smallest words of a text, folded: parts of identifiers, characters of scripts without spaces, stop words and
// single letters too. Two texts with the same pieces are the same phrase.
func piecesOf(text string) []string {
	var pieces []string
	var parts []part
	var buf []byte
	add := func(start, end int) {
		if buf = appendFolded(buf[:0], text[start:end]); len(buf) > 0 {
			pieces = append(pieces, string(buf))
		}
	}
	for r, ok := nextRun(text, 0); ok; r, ok = nextRun(text, r.end) {
		if r.spacing {
			for i := r.start; i < r.end; {
				end := endOfCharacter(text, i, r.end)
				add(i, end)
				i = end
			}
			continue
		}
		parts = appendParts(parts[:0], text, r.start, r.end)
		for _, p := range parts {
			add(p.start, p.end)
		}
	}
	return pieces
}

// occurs reports whether each phrase stands in one of the fields.
func occurs(phrases [][]string, fields []string) bool {
	pieces := make([][]string, len(fields))
	for i, text := range fields {
		pieces[i] = piecesOf(text)
	}
	for _, phrase := range phrases {
		if !slices.ContainsFunc(pieces, func(field []string) bool { return contains(field, phrase) }) {
			return false
		}
	}
	return true
}

func contains(field, phrase []string) bool {
	for i := range max(0, len(field)-len(phrase)+1) {
		if slices.Equal(field[i:][:len(phrase)], phrase) {
			return true
		}
	}
	return false
}

// verify leaves the hits that have the phrases, and counts them. They are all that match, the best first.
func (s *search) verify(r *Result) {
	checked := r.Hits
	if s.query.Fields == nil {
		checked = nil
	}
	checked = checked[:min(len(checked), maxChecked)]
	r.Unchecked = len(r.Hits) - len(checked)
	also := map[uint32][]string{}
	for _, d := range s.query.Also {
		also[d.ID] = d.Fields
	}
	r.Hits = slices.DeleteFunc(slices.Clone(checked), func(h Hit) bool {
		fields, ok := also[h.ID]
		if !ok {
			fields = s.query.Fields(h.ID)
		}
		return !occurs(s.ask.phrases, only(s.query.Only, fields))
	})
	r.Matches = len(r.Hits)
}

// only returns the fields in which words count.
func only(which []Field, fields []string) []string {
	if which == nil {
		return fields
	}
	some := make([]string, 0, len(which))
	for _, f := range which {
		if int(f) < len(fields) {
			some = append(some, fields[f])
		}
	}
	return some
}
