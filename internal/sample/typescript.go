package sample

import (
	"fmt"
	"strings"
)

// TypeScript makes a monorepo of three projects that refer to each other: core has the hub, lib the first third of
// the parts, app the others.
func TypeScript(parts int) *Project {
	p := newProject("typescript", "core/src/hub.ts", ".ts")
	p.files["package.json"] = "{\"name\": \"sample\", \"private\": true}\n"
	p.files["tsconfig.json"] = "{\"files\": [], \"references\": [{\"path\": \"core\"}, {\"path\": \"lib\"}, {\"path\": \"app\"}]}\n"
	for project, references := range map[string][]string{"core": nil, "lib": {"core"}, "app": {"core", "lib"}} {
		p.files[project+"/tsconfig.json"] = tsConfig(references)
	}
	p.tsHub()
	for i := range parts {
		p.tsPart(i, parts)
	}
	return p
}

func tsConfig(references []string) string {
	var paths []string
	for _, name := range references {
		paths = append(paths, fmt.Sprintf("{\"path\": \"../%s\"}", name))
	}
	return fmt.Sprintf("{\"compilerOptions\": {\"composite\": true, \"strict\": true, \"target\": \"ES2022\", \"module\": \"ESNext\", "+
		"\"moduleResolution\": \"bundler\", \"rootDir\": \"src\", \"outDir\": \"dist\"}, \"include\": [\"src\"], \"references\": [%s]}\n",
		strings.Join(paths, ", "))
}

func (p *Project) tsHub() {
	s := p.source("core/src/hub.ts")
	for h := range Hubs {
		name := fmt.Sprintf("Record%02d", h)
		p.Fields[name] = []string{"id", fmt.Sprintf("amount%02d", h), "next"}
		s.add("export class %s {", name)
		s.add("  id: number;")
		s.add("  amount%02d = 0;", h)
		s.add("  next?: %s;", name)
		s.add("  constructor(id: number) {")
		s.add("    this.id = id;")
		s.add("  }")
		s.add("}")
		s.add("")
		s.add("export function mix%02d(a: number, b: number): number {", h)
		s.add("  return a * %d + b;", h+3)
		s.add("}")
		s.add("")
	}
	s.done()
}

// tsProject returns the project of a part.
func tsProject(part, parts int) string {
	if part < parts/3 {
		return "lib"
	}
	return "app"
}

func (p *Project) tsPart(i, parts int) {
	h, next := hubOf(i), neighbour(i)
	s := p.source(fmt.Sprintf("%s/src/part%03d.ts", tsProject(i, parts), i))
	s.add("import { mix%02d, Record%02d } from \"../../core/src/hub\";", h, h)
	if next >= 0 {
		s.add("import { part%03d } from \"../../%s/src/part%03d\";", next, tsProject(next, parts), next)
	}
	s.add("")
	s.add("export function part%03d(n: number): number {", i)
	s.call(fmt.Sprintf("mix%02d", h), "  n = mix%02d(n, %d);", h, i)
	if next >= 0 {
		s.add("  n += part%03d(n);", next)
	}
	s.add("  return n;")
	s.add("}")
	s.add("")
	s.add("export const load%03d = (): Record%02d => new Record%02d(%d);", i, h, h, i)
	for k := range 8 {
		s.add("")
		s.add("function detail%d(words: string[]): string {", k)
		s.add("  const total = words.reduce((sum, word, at) => sum + word.length * (at + %d), 0);", k)
		s.add("  return `${total} of %d`;", i)
		s.add("}")
	}
	s.add("export const details%03d = [detail0, detail1, detail2, detail3, detail4, detail5, detail6, detail7];", i)
	s.done()
}
