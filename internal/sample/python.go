package sample

import "fmt"

// Python makes a package with a module for each part.
func Python(parts int) *Project {
	p := newProject("python", "sample/hub.py", ".py")
	p.files["pyproject.toml"] = "[project]\nname = \"sample\"\nversion = \"1\"\n"
	p.files["sample/__init__.py"] = ""
	p.pythonHub()
	for i := range parts {
		p.pythonPart(i)
	}
	return p
}

func (p *Project) pythonHub() {
	s := p.source("sample/hub.py")
	s.add("from __future__ import annotations")
	s.add("")
	s.add("from dataclasses import dataclass")
	for h := range Hubs {
		name := fmt.Sprintf("Record%02d", h)
		p.Fields[name] = []string{"id", fmt.Sprintf("amount%02d", h), "next"}
		s.add("")
		s.add("")
		s.add("@dataclass")
		s.add("class %s:", name)
		s.add("    id: int")
		s.add("    amount%02d: float = 0.0", h)
		s.add("    next: %s | None = None", name)
		s.add("")
		s.add("")
		s.add("def mix%02d(a: int, b: int) -> int:", h)
		s.add("    return a * %d + b", h+3)
	}
	s.done()
}

func (p *Project) pythonPart(i int) {
	h, next := hubOf(i), neighbour(i)
	s := p.source(fmt.Sprintf("sample/part%03d.py", i))
	s.add("from sample.hub import Record%02d, mix%02d", h, h)
	if next >= 0 {
		s.add("from sample.part%03d import part%03d", next, next)
	}
	s.add("")
	s.add("")
	s.add("def part%03d(n: int) -> int:", i)
	s.call(fmt.Sprintf("mix%02d", h), "    n = mix%02d(n, %d)", h, i)
	if next >= 0 {
		s.add("    n += part%03d(n)", next)
	}
	s.add("    return n")
	s.add("")
	s.add("")
	s.add("def load%03d() -> Record%02d:", i, h)
	s.add("    return Record%02d(%d)", h, i)
	for k := range 8 {
		s.add("")
		s.add("")
		s.add("def detail%d(words: list[str]) -> str:", k)
		s.add("    total = sum(len(word) * (at + %d) for at, word in enumerate(words))", k)
		s.add("    return f\"{total} of %d\"", i)
	}
	s.done()
}
