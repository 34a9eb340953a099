package syntax

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// TextMethod reports whether the name at a position declares a method by which a value becomes text, or is made of text:
// one that the standard library, or a library of that kind, calls by its name and signature, such as String and
// UnmarshalText.
func (f *File) TextMethod(at Position) bool {
	c, ok := f.identifier(at)
	if !ok {
		return false
	}
	decl, ok := c.Parent().Node().(*ast.FuncDecl)
	if !ok || decl.Recv == nil || decl.Name != c.Node() {
		return false
	}
	return slices.Contains(textSignatures(decl.Name.Name), signatureText(decl.Type))
}

// textSignatures returns the signatures with which a method of a name has to do with text.
func textSignatures(name string) []string {
	switch name {
	case "String", "GoString", "Error":
		return []string{"func() string"}
	case "Format":
		return []string{"func(fmt.State, rune)"}
	case "MarshalText", "MarshalJSON":
		return []string{"func() []byte, error"}
	case "UnmarshalText", "UnmarshalJSON":
		return []string{"func([]byte) error"}
	case "AppendText":
		return []string{"func([]byte) []byte, error"}
	case "MarshalYAML":
		return []string{"func() any, error", "func() interface{}, error", "func() []byte, error"}
	case "UnmarshalYAML":
		return []string{"func(*yaml.Node) error", "func([]byte) error", "func(func(any) error) error", "func(func(interface{}) error) error"}
	case "MarshalXMLAttr":
		return []string{"func(xml.Name) xml.Attr, error"}
	case "UnmarshalXMLAttr":
		return []string{"func(xml.Attr) error"}
	case "Set": // flag
		return []string{"func(string) error"}
	case "Scan": // database/sql, fmt
		return []string{"func(any) error", "func(interface{}) error", "func(fmt.ScanState, rune) error"}
	case "Value": // database/sql
		return []string{"func() driver.Value, error"}
	case "LogValue":
		return []string{"func() slog.Value"}
	}
	return nil
}

// signatureText writes a signature without names: "func(int, string) bool, error".
func signatureText(t *ast.FuncType) string {
	text := "func(" + typesText(t.Params) + ")"
	if results := typesText(t.Results); results != "" {
		text += " " + results
	}
	return text
}

func typesText(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var all []string
	for _, field := range list.List {
		for range max(1, len(field.Names)) {
			all = append(all, types.ExprString(field.Type))
		}
	}
	return strings.Join(all, ", ")
}
