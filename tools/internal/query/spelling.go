package query

import (
	"fmt"
	"slices"
	"strings"

	"tidepool/lsp"
)

// MaxCandidates bounds the list of what an ambiguous name may mean.
const MaxCandidates = 20

// A Candidate is one of several things that a name may mean.
type Candidate struct {
	Name string   `json:"name"` // qualified as far as needed to mean this one alone
	Kind lsp.Kind `json:"kind"`
	File string   `json:"file"` // absolute
	Line int      `json:"line"`
	// Language is its name for people, where the candidates are of several: "Python".
	Language string `json:"language,omitempty"`
}

// means reports whether the components at the end of a symbol's full name are those of name, which has dots between
// its parts.
func means(name string, s lsp.Symbol) bool {
	full := Dotted(s)
	if s.Package != "" {
		full = s.Package + "." + full
	}
	rest, ok := strings.CutSuffix(full, name)
	return ok && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/"))
}

// Dotted returns the name of a symbol with that of its type before it: "T.M", or "F".
func Dotted(s lsp.Symbol) string {
	if s.Receiver == "" {
		return s.Name
	}
	return s.Receiver + "." + s.Name
}

// spellings returns the ways to write a symbol without its file, with dots, shortest first.
func (q *Query) spellings(s lsp.Symbol) []string {
	forms := []string{s.Name}
	if s.Receiver != "" {
		forms = append(forms, Dotted(s))
	}
	for _, qualifier := range q.qualifiers(s) {
		forms = append(forms, qualifier+"."+Dotted(s))
	}
	return forms
}

func (q *Query) qualifiers(s lsp.Symbol) []string {
	known := q.Languages(s.Language)
	if s.Package == "" || known.Qualifiers == nil {
		return nil
	}
	all := known.Qualifiers(s.Package)
	if pkg := q.packageOf(s); pkg != "" && len(all) > 0 {
		all[0] = pkg
	}
	return all
}

// packageOf returns how the file that declares a symbol calls its package; "" where the language has no such name.
func (q *Query) packageOf(s lsp.Symbol) string {
	if known := q.Languages(s.Language); known.Pkg != nil {
		return known.Pkg(q, s.Location)
	}
	return ""
}

// meant is [means] that also takes the name by which a file calls its package for the package.
func (q *Query) meant(name string, s lsp.Symbol) bool {
	return means(name, s) || q.inPackage(name, s)
}

// inPackage reports whether name is that of a symbol behind the name by which its file calls its package.
func (q *Query) inPackage(name string, s lsp.Symbol) bool {
	qualifier, rest, ok := strings.Cut(name, ".")
	return ok && rest == Dotted(s) && q.packageOf(s) == qualifier
}

// PathQualifiers returns the qualifiers of a package whose path has slashes: its last element, and all of it.
func PathQualifiers(pkg string) []string {
	return []string{pkg[strings.LastIndexByte(pkg, '/')+1:], pkg}
}

// DottedQualifiers returns the qualifiers of a package that is itself written with dots: mod, then pkg.mod.
func DottedQualifiers(pkg string) []string {
	all := []string{pkg}
	for i := strings.LastIndexByte(pkg, '.'); i >= 0; i = strings.LastIndexByte(pkg[:i], '.') {
		all = append(all, pkg[i+1:])
	}
	slices.SortFunc(all, func(a, b string) int { return len(a) - len(b) })
	return all
}

// Shown writes a name with dots as the language of s does.
func (q *Query) Shown(s lsp.Symbol, name string) string {
	if known := q.Languages(s.Language); known.Separator != "" {
		return strings.ReplaceAll(name, ".", known.Separator)
	}
	return name
}

// DisplayName returns the symbol as people in its package write it.
func (q *Query) DisplayName(s lsp.Symbol) string { return q.Shown(s, Dotted(s)) }

// qualifiedName returns the symbol as people in other packages write it.
func (q *Query) qualifiedName(s lsp.Symbol) string {
	if all := q.qualifiers(s); len(all) > 0 {
		return q.Shown(s, all[0]+"."+Dotted(s))
	}
	return q.DisplayName(s)
}

// candidates lists what a name may mean. filed says that it was looked for in a file, and may not be found otherwise.
func (q *Query) candidates(symbols []lsp.Symbol, filed bool) []Candidate {
	slices.SortFunc(symbols, func(a, b lsp.Symbol) int { return CompareSpots(SpotOf(a.Location), SpotOf(b.Location)) })
	mixed := slices.ContainsFunc(symbols, func(s lsp.Symbol) bool { return s.Language != symbols[0].Language })
	var all []Candidate
	for _, s := range symbols[:min(len(symbols), MaxCandidates)] {
		c := Candidate{Name: q.qualify(s, symbols, filed), Kind: s.Kind, File: s.Location.Path, Line: s.Location.Range.Start.Line}
		if mixed {
			c.Language = languageName(s.Language)
		}
		all = append(all, c)
	}
	return all
}

// qualify returns the shortest spelling of s that means none of the others, with its file, or even line, before its
// name if nothing else does. The file of an overloaded method may declare the others, too, which other files define.
func (q *Query) qualify(s lsp.Symbol, among []lsp.Symbol, filed bool) string {
	forms := q.spellings(s)
	if filed {
		forms = nil
	}
	alone := func(fits func(lsp.Symbol) bool) bool {
		return !slices.ContainsFunc(among, func(other lsp.Symbol) bool { return SpotOf(other.Location) != SpotOf(s.Location) && fits(other) })
	}
	for _, form := range forms {
		if alone(func(other lsp.Symbol) bool { return q.meant(form, other) && !q.byDirectory(form, other) }) {
			return q.Shown(s, form)
		}
	}
	file := q.Relative(s.Location.Path)
	overloaded := q.Languages(s.Language).Merged != nil && s.Receiver != "" && !alone(func(other lsp.Symbol) bool { return Dotted(other) == Dotted(s) })
	if !overloaded && alone(func(other lsp.Symbol) bool { return other.Location.Path == s.Location.Path && means(Dotted(s), other) }) {
		return file + ":" + q.DisplayName(s)
	}
	return fmt.Sprintf("%s:%d:%s", file, s.Location.Range.Start.Line, q.DisplayName(s))
}

func languageName(id string) string {
	for _, l := range lsp.Languages() {
		if l.ID == id {
			return l.Name
		}
	}
	return id
}
