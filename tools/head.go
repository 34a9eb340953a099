package tools

// A head is what is said of a type before its fields or its constructors.
type head struct {
	path      string // of the file with the name that was asked for
	line      int
	kind, doc string
	raw       string   // the definition as it stands in the source
	followed  []string // names that lead from the one asked for to the one shown
}

func (o *ShowFieldsOutput) begin(h head) {
	o.File, o.Line, o.Kind, o.Doc = &h.path, &h.line, h.kind, h.doc
	o.RawDefinition = firstLines(h.raw, maxRaw)
	o.Followed = append(o.Followed, h.followed...)
}

func (o *ShowConstructorsOutput) begin(h head) {
	o.File, o.Line, o.Kind, o.Doc = &h.path, &h.line, h.kind, h.doc
	o.RawDefinition = firstLines(h.raw, maxRaw)
	o.Followed = append(o.Followed, h.followed...)
}
