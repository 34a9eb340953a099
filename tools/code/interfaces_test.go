package code

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/lsp"
	"tidepool/tools"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/toolstest"
)

// mixed is a module whose types get methods by embedding, and implement interfaces of the standard library that packages
// call which do not import them.
func mixed() map[string]string {
	return map[string]string{
		"m.go": `package m

import (
	odd "example.test/m/go-odd"
	"example.test/m/inner"
)

type Notifier interface {
	Notify(string)
	Close() error
}

type Base struct{}

func (Base) Notify(string) {}

func (Base) quiet() {}

type Service struct{ Base }

func (Service) Close() error { return nil }

type Renamed Service

func (Renamed) Close() error { return nil }

type Own struct{ *Service }

func (Own) Notify(string) {}

func run(n Notifier) {
	n.Notify("x")
	_ = n.Close()
}

type Silent interface{ quiet() }

type Silencer struct{ Inner }

type Inner = Base

func (Silencer) loud() {}

type both interface {
	Silent
	loud()
}

func silence(b both) { b.quiet() }

type Failure struct{}

func (*Failure) Error() string { return "" }

type Number int

func (Number) String() string { return "" }

type Thing struct{}

type Also = Thing

func NewThing() *Also { return nil }

func start() (inner.Other, error) { odd.Do(); return inner.New(), nil }
`,
		"m_plan9.go":     "package m\n\nvar plan Service\n",
		"inner/inner.go": "package inner\n\ntype Base struct{}\n\ntype Other = Base\n\nfunc (Base) Ping() {}\n\nfunc New() Other { return Base{} }\n",
		"go-odd/odd.go":  "package odd\n\nfunc Do() {}\n",
		"odd/second.go":  "package second\n\nfunc Do() {}\n",
		"ping/ping.go": `package ping

import "example.test/m/inner"

type Pinger interface {
	Ping()
	Pong()
}

type Ball struct{ inner.Base }

func (Ball) Pong() {}

func play(p Pinger) { p.Ping() }
`,
		"far/far.go": `package far

import (
	"fmt"
	"io"
	"testing"
)

type Odd interface {
	error
	More()
}

type other struct{}

func (other) Error(string) string { return "" }

func use(err error, s fmt.Stringer, c io.ReadCloser, o Odd, t *testing.T) {
	_ = err.Error()
	_ = s.String()
	_ = c.Close()
	_ = o.Error()
	t.Error("err.Error()", other{}.Error(""))
}

var text = error.Error
`,
		"marks/marks.go": "package marks\n\ntype Mark struct{}\n\nfunc (Mark) Stamp(int) {}\n\ntype Text struct{}\n\nfunc (Text) Stamp(string) {}\n\ntype Both struct{ Mark }\n\nfunc (Both) Other() {}\n",
		"post/post.go": `package post

type Held struct{ M interface{ Stamp(int) } }

type alias = interface{ Stamp(int) }

func send(x any, a alias) {
	x.(interface{ Stamp(int) }).Stamp(1)
	type local interface {
		Stamp(n int)
	}
	if l, ok := x.(local); ok {
		l.Stamp(2)
	}
	a.Stamp(3)
	both := x.(interface {
		Stamp(int)
		Other()
	})
	both.Stamp(4)
}
`,
		"office/office.go": "package office\n\nimport \"example.test/m/post\"\n\nfunc open(h post.Held) { h.M.Stamp(5) }\n",
	}
}

func TestMixedModule(t *testing.T) {
	c := over(toolstest.Module(t, mixed()))
	t.Run("calls through interfaces", func(t *testing.T) { testCallsThroughInterfaces(t, c) })
	t.Run("constructors by alias", func(t *testing.T) { testConstructorsByAlias(t, c) })
	t.Run("names of packages", func(t *testing.T) { testNamesOfPackages(t, c) })
}

// A call through an interface is one of each method that can run: of those that are promoted, too, and wherever the interface
// is declared.
func testCallsThroughInterfaces(t *testing.T, c *Toolset) {
	t.Helper()
	for name, want := range map[string]string{
		"m.Base.Notify":   "m.go:32 interface call Notifier.Notify, implements Notifier.Notify",
		"Own.Notify":      "m.go:32 interface call Notifier.Notify, implements Notifier.Notify",
		"Base.quiet":      "m.go:49 interface call Silent.quiet, implements Silent.quiet",
		"Service.Close":   "far/far.go:21 interface call io.Closer.Close, m.go:33 interface call Notifier.Close, implements Notifier.Close, implements io.Closer.Close",
		"inner.Base.Ping": "ping/ping.go:14 interface call ping.Pinger.Ping, implements ping.Pinger.Ping",
		"Failure.Error":   "far/far.go:19 interface call error.Error, far/far.go:22 interface call error.Error, far/far.go:26 interface value error.Error, implements error.Error",
		"Number.String":   "far/far.go:20 interface call fmt.Stringer.String, implements fmt.Stringer.String",
		"other.Error":     "far/far.go:23 call ",
		"Pinger.Ping":     "ping/ping.go:14 call ",
		"Mark.Stamp":      "office/office.go:5 interface call interface{…}.Stamp, post/post.go:8 interface call interface{…}.Stamp, post/post.go:13 interface call post.local.Stamp, post/post.go:15 interface call post.alias.Stamp, post/post.go:20 interface call interface{…}.Stamp, implements interface{…}.Stamp, implements post.alias.Stamp, implements post.local.Stamp",
		"Text.Stamp":      "",
	} {
		isCalled(t, c, name, want)
	}
}

// isCalled looks at whether the calls of a function, and what it implements, are complete and as wanted.
func isCalled(t *testing.T, c *Toolset, name, want string) {
	t.Helper()
	out, err := c.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: name, MaxResults: 50})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range out.CallSites {
		got = append(got, fmt.Sprintf("%s:%d %s %s", query.Relative(c.Root, s.File), s.Line, s.Kind, s.Via))
	}
	for _, contract := range out.Implements {
		got = append(got, "implements "+contract)
	}
	if diff := cmp.Diff(want, strings.Join(got, ", ")); diff != "" || out.Completeness.State != lsp.Complete {
		t.Errorf("%s (-want +got):\n%s\n%s", name, diff, out.Text())
	}
}

// A function that returns a type by another name of it makes the type.
func testConstructorsByAlias(t *testing.T, c *Toolset) {
	t.Helper()
	for name, want := range map[string]string{"Thing": "NewThing", "inner.Base": "New start", "Other": "New start"} {
		out, err := c.ShowConstructors(t.Context(), tools.Call{}, ShowConstructorsInput{TypeName: name})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, made := range out.Constructors {
			got = append(got, made.Name)
		}
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("%s is made by %q, want %s: %s", name, got, want, out.Text())
		}
	}
}

// A package is called what its package clause says, even where a directory has that name.
func testNamesOfPackages(t *testing.T, c *Toolset) {
	t.Helper()
	for name, want := range map[string]string{"odd.Do": "go-odd/odd.go", "second.Do": "odd/second.go", "go-odd.Do": "go-odd/odd.go", "example.test/m/odd.Do": "odd/second.go"} {
		out, err := c.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: name, MaxResults: 50})
		if err != nil || out.DefinitionFile == nil || query.Relative(c.Root, *out.DefinitionFile) != want {
			t.Errorf("%s: %v %s", name, err, out.Text())
		}
	}
	out, err := c.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: "Do", MaxResults: 50})
	if err != nil || len(out.Candidates) != 2 || out.Candidates[0].Name != "odd.Do" || out.Candidates[1].Name != "second.Do" {
		t.Errorf("%v, candidates %+v", err, out.Candidates)
	}
}

// A file that is called as the one in which Go declares what it has itself is one like any other.
func TestMethodsInABuiltinFile(t *testing.T) {
	c := over(toolstest.Module(t, map[string]string{
		"builtin/builtin.go": "package builtin\n\ntype Runner interface{ Run() }\n\ntype A struct{}\n\nfunc (A) Run() {}\n\ntype B struct{}\n\nfunc (B) Run() {}\n",
		"m.go": "package m\n\nimport \"example.test/m/builtin\"\n\n" +
			"func each(all []builtin.A, others []builtin.B, runners []builtin.Runner) {\n\tall[0].Run()\n\tothers[0].Run()\n\trunners[0].Run()\n}\n",
	}))
	for name, want := range map[string]string{
		"A.Run": "m.go:6 call , m.go:8 interface call Runner.Run, implements Runner.Run",
		"B.Run": "m.go:7 call , m.go:8 interface call Runner.Run, implements Runner.Run",
	} {
		isCalled(t, c, name, want)
	}
}
