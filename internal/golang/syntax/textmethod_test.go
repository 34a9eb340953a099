package syntax

import (
	"strings"
	"testing"
)

func TestTextMethod(t *testing.T) {
	for decl, want := range map[string]bool{
		"func (k Kind) String() string":                              true,
		"func (k *Kind) String() (text string)":                      true,
		"func (Kind) GoString() string":                              true,
		"func (e Kind) Error() string":                               true,
		"func (k Kind) Format(s fmt.State, verb rune)":               true,
		"func (k Kind) MarshalText() (text []byte, err error)":       true,
		"func (k Kind) AppendText(b []byte) ([]byte, error)":         true,
		"func (k *Kind) UnmarshalText(text []byte) error":            true,
		"func (k Kind) MarshalJSON() ([]byte, error)":                true,
		"func (k *Kind) UnmarshalJSON(data []byte) error":            true,
		"func (k Kind) MarshalYAML() (any, error)":                   true,
		"func (k *Kind) UnmarshalYAML(n *yaml.Node) error":           true,
		"func (k *Kind) Set(s string) error":                         true,
		"func (k *Kind) Scan(v any) error":                           true,
		"func (k Kind) Value() (driver.Value, error)":                true,
		"func (k Kind) LogValue() slog.Value":                        true,
		"func (k Kind) UnmarshalXMLAttr(a xml.Attr) error":           true,
		"func (k Kind) MarshalXMLAttr(n xml.Name) (xml.Attr, error)": true,
		"func (k Kind) String(indent int) string":                    false,
		"func (k Kind) Value() int":                                  false,
		"func (k Kind) Set(a, b string) error":                       false,
		"func (k Kind) Name() string":                                false,
		"func String() string":                                       false,
	} {
		f := Parse("p.go", []byte("package p\n\n"+decl+" { panic(1) }\n"))
		at := strings.Index(decl, "(")
		for at > 0 && decl[at-1] != ' ' {
			at-- // to the name of a function
		}
		if method := strings.Index(decl, ") "); strings.HasPrefix(decl, "func (") {
			at = method + 2
		}
		if got := f.TextMethod(Position{3, at + 1}); got != want {
			t.Errorf("%s: %t", decl, got)
		}
	}
}

func TestMayEmbed(t *testing.T) {
	f := Parse("p.go", []byte("package p\n\ntype A struct {\n\t*q.B\n\tC[int]\n\td D\n}\n\ntype E interface{ F }\n\ntype G = q.H\n\ntype I J\n\nfunc f(K) {}\n"))
	for name, want := range map[string]bool{"B": true, "C": true, "D": false, "F": true, "H": true, "J": false, "K": false, "q": false} {
		if got := f.MayEmbed(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
