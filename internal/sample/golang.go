package sample

import "fmt"

// Go makes a module with a package for each part.
func Go(parts int) *Project {
	p := newProject("go", "hub/hub.go", ".go")
	p.files["go.mod"] = "module example.com/sample\n\ngo 1.26\n"
	p.goHub()
	for i := range parts {
		p.goPart(i)
	}
	return p
}

func (p *Project) goHub() {
	s := p.source("hub/hub.go")
	s.add("// Package hub is what the parts have in common.")
	s.add("package hub")
	for h := range Hubs {
		name := fmt.Sprintf("Record%02d", h)
		p.Fields[name] = []string{"ID", fmt.Sprintf("Amount%02d", h), "Next"}
		s.add("")
		s.add("type %s struct {", name)
		s.add("\tID int")
		s.add("\tAmount%02d float64", h)
		s.add("\tNext *%s", name)
		s.add("}")
		s.add("")
		s.add("func New%s(id int) *%s { return &%s{ID: id} }", name, name, name)
		s.add("")
		s.add("func Mix%02d(a, b int) int { return a*%d + b }", h, h+3)
	}
	s.done()
}

func (p *Project) goPart(i int) {
	h, next := hubOf(i), neighbour(i)
	s := p.source(fmt.Sprintf("part/p%03d/p%03d.go", i, i))
	s.add("package p%03d", i)
	s.add("")
	s.add("import (")
	s.add("\t\"fmt\"")
	s.add("\t\"example.com/sample/hub\"")
	if next >= 0 {
		s.add("\t\"example.com/sample/part/p%03d\"", next)
	}
	s.add(")")
	s.add("")
	s.add("func Part%03d(n int) int {", i)
	s.call(fmt.Sprintf("Mix%02d", h), "\tn = hub.Mix%02d(n, %d)", h, i)
	if next >= 0 {
		s.add("\tn += p%03d.Part%03d(n)", next, next)
	}
	s.add("\treturn n")
	s.add("}")
	s.add("")
	s.add("func Load%03d() *hub.Record%02d { return hub.NewRecord%02d(%d) }", i, h, h, i)
	for k := range 8 {
		s.add("")
		s.add("func detail%d(words []string) string {", k)
		s.add("\ttotal := 0")
		s.add("\tfor at, word := range words {")
		s.add("\t\ttotal += len(word) * (at + %d)", k)
		s.add("\t}")
		s.add("\treturn fmt.Sprintf(\"%%d of %%d\", total, %d)", i)
		s.add("}")
	}
	s.done()
}
