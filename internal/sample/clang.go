package sample

import (
	"fmt"
	"strings"
)

// C makes a program with a compile_commands.json and a source for each part.
func C(parts int) *Project {
	p := newProject("c", "include/hub.h", ".c")
	p.cHeader(parts)
	p.cHub()
	for i := range parts {
		p.cPart(i)
	}
	var commands []string
	for _, path := range p.Sources() {
		commands = append(commands, fmt.Sprintf(
			"{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"cc -std=c11 -Iinclude -c %s\"}", dirMark, path, path))
	}
	p.files["compile_commands.json"] = "[\n" + strings.Join(commands, ",\n") + "\n]\n"
	return p
}

func (p *Project) cHeader(parts int) {
	s := p.source("include/hub.h")
	s.add("#ifndef HUB_H")
	s.add("#define HUB_H")
	for h := range Hubs {
		name := fmt.Sprintf("Record%02d", h)
		p.Fields[name] = []string{"id", fmt.Sprintf("amount%02d", h), "next"}
		s.add("")
		s.add("struct %s {", name)
		s.add("    int id;")
		s.add("    double amount%02d;", h)
		s.add("    struct %s *next;", name)
		s.add("};")
		s.add("")
		s.add("int mix%02d(int a, int b);", h)
	}
	s.add("")
	for i := range parts {
		s.add("int part%03d(int n);", i)
	}
	s.add("#endif")
	s.done()
}

func (p *Project) cHub() {
	s := p.source("src/hub.c")
	s.add("#include \"hub.h\"")
	for h := range Hubs {
		s.add("")
		s.add("int mix%02d(int a, int b) { return a * %d + b; }", h, h+3)
	}
	s.done()
}

func (p *Project) cPart(i int) {
	h, next := hubOf(i), neighbour(i)
	s := p.source(fmt.Sprintf("src/part%03d.c", i))
	for _, header := range []string{"<stdio.h>", "<stdlib.h>", "<string.h>", "\"hub.h\""} {
		s.add("#include %s", header)
	}
	s.add("")
	s.add("int part%03d(int n) {", i)
	s.call(fmt.Sprintf("mix%02d", h), "    n = mix%02d(n, %d);", h, i)
	if next >= 0 {
		s.add("    n += part%03d(n);", next)
	}
	s.add("    return n;")
	s.add("}")
	s.add("")
	s.add("struct Record%02d *load%03d(void) {", h, i)
	s.add("    struct Record%02d *made = calloc(1, sizeof *made);", h)
	s.add("    made->id = %d;", i)
	s.add("    return made;")
	s.add("}")
	for k := range 8 {
		s.add("")
		s.add("void detail%d_%03d(char **words, int count) {", k, i)
		s.add("    size_t total = 0;")
		s.add("    for (int at = 0; at < count; at++) total += strlen(words[at]) * (size_t)(at + %d);", k)
		s.add("    printf(\"%%zu of %d\\n\", total);", i)
		s.add("}")
	}
	s.done()
}
