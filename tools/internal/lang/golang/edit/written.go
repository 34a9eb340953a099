package edit

import (
	"cmp"
	"go/token"
	"path"
	"slices"
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/scout"
)

const arrow = " → "

// Written returns what becomes of the declaration s under a change, on one line: "func F() → func F() error". It is the edit
// that Of makes; "" if there is none. NEW stands for a type that no value has.
func Written(f *syntax.File, shown string, at syntax.Position, s Subject, c scout.Change, files *syntax.Reading) string {
	e := &editor{files: files, file: f, shown: shown, at: at, name: s.Name, change: c}
	start, end, ok := f.Head(at)
	if !ok {
		return ""
	}
	before := strings.TrimSpace(f.Keyword(at) + " " + f.Between(start, end, nil))
	if after, ok := e.renamed(s, before); ok {
		return before + arrow + after
	}
	made, err := e.revise(s)
	if err != nil {
		return ""
	}
	var edits []syntax.Edit
	for _, edit := range made.Edits {
		if edit.Path == f.Path {
			edits = append(edits, syntax.Edit{Start: edit.Start, End: edit.End, New: edit.New})
		}
	}
	after := strings.TrimSpace(f.Keyword(at) + " " + f.Between(start, end, edits))
	if after == before {
		after += " " + inside(made, before)
	}
	return before + arrow + e.plain(after)
}

// inside is what an edit writes behind the head of a type: "{ …; Name T }" for its members, the whole for a method.
func inside(made Revision, before string) string {
	if len(made.Edits) == 0 {
		return "{ … }"
	}
	text := strings.Trim(strings.Join(strings.Fields(made.Edits[0].New), " "), "; ")
	if method, ok := strings.CutSuffix(text, " { panic(0) }"); ok {
		return "+ " + method
	}
	if strings.HasSuffix(before, "struct") || strings.HasSuffix(before, "interface") {
		return "{ …; " + text + " }"
	}
	return text
}

// plain puts words in place of what stands for any new type or name.
func (e *editor) plain(text string) string {
	text = strings.ReplaceAll(text, syntax.Unfit, "NEW")
	if e.change.Kind != scout.AddParameter || strings.Contains(text, ", ...") || strings.Contains(text, " ...") {
		return strings.ReplaceAll(text, "_ NEW", "new NEW")
	}
	if said := e.parameterSaid(); said != "" { // that no argument fits it is so whatever it is
		return strings.Replace(text, "_ NEW", said, 1)
	}
	return strings.ReplaceAll(text, "_ NEW", "new NEW")
}

// parameterSaid returns the name and type of the parameter that the detail writes out; "" if it does not.
func (e *editor) parameterSaid() string {
	said, _, _ := strings.Cut(strings.TrimSpace(e.change.Detail), ",")
	name, typ, _ := strings.Cut(said, " ")
	if _, _, ok := e.newType([]string{typ}); ok && token.IsIdentifier(name) {
		return name + " " + strings.TrimSpace(typ)
	}
	return ""
}

// renamed returns what becomes of a declaration where that is not what the edits of it say; false if it is.
func (e *editor) renamed(s Subject, before string) (string, bool) {
	switch e.change.Kind {
	case scout.Delete:
		return "(deleted)", true
	case scout.RemoveField:
		if s.Kind == Struct {
			return "{ … } without " + e.fieldName(), e.fieldName() != ""
		}
		return "(removed)", true
	case scout.Move:
		to := strings.TrimSpace(cmp.Or(e.change.Terms.To, e.change.Detail, "NEW"))
		return path.Base(to) + "." + e.name, true
	case scout.Deprecate:
		return "// Deprecated: … " + before, true
	case scout.ChangeValue:
		name, _, ok := strings.Cut(before, "=")
		return strings.TrimSpace(name) + " = " + cmp.Or(e.change.Terms.To, strings.TrimSpace(e.change.Detail), "…"), ok || s.Kind == Field
	case scout.AddVariant:
		return "+ const New" + upperFirst(e.name) + " " + e.name, true
	case scout.AddImplementation:
		return "+ var _ " + e.name + " = New" + upperFirst(e.name) + "{}", true
	}
	return "", false
}

// fieldName returns the field of a struct that a change removes; "" if it names none.
func (e *editor) fieldName() string {
	t, _ := e.file.Type(e.at)
	for _, wanted := range []string{e.change.Terms.Member, strings.TrimSpace(e.change.Detail)} {
		if wanted = wanted[strings.LastIndexByte(wanted, '.')+1:]; t != nil && slices.ContainsFunc(t.Members, func(m syntax.Member) bool { return m.Name == wanted }) {
			return wanted
		}
	}
	return ""
}

func upperFirst(name string) string {
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
