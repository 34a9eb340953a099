package edit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/tools/internal/graph"
)

// typed reports whether a type of functions says what its parameters or results are, rather than how they are called.
func typed(expr ast.Expr) bool {
	t, ok := expr.(*ast.FuncType)
	if !ok {
		return false
	}
	named := func(f *ast.Field) bool { return len(f.Names) > 0 }
	return t.Results != nil && len(t.Results.List) > 0 || slices.ContainsFunc(t.Params.List, named)
}

// receiver makes a method one of the pointer, or of the value: of both there is only one that it is not.
func (e *editor) receiver() (Revision, error) {
	now, words := e.file.Receiver(e.at), e.change.Words
	pointer := strings.HasPrefix(now, "*")
	toValue, toPointer := says(words, "to a value", "to value", "into a value", "value receiver"), says(words, "to a pointer", "to pointer", "into a pointer", "pointer receiver")
	if now != "" && toValue != toPointer && toPointer == pointer {
		return Revision{}, graph.Unclear("the receiver is %s already", now)
	}
	return e.made(e.file.ChangeReceiver(e.at))
}

// generic gives a type a parameter, or a function the signature that the change says.
func (e *editor) generic(s Subject) (Revision, error) {
	said := strings.TrimSpace(strings.TrimPrefix(e.change.Detail, e.name))
	list, rest := "[T any]", ""
	if end := strings.IndexByte(said, ']'); strings.HasPrefix(said, "[") && end > 0 {
		list, rest = said[:end+1], said[end+1:]
	}
	signature, ok := signatureIn(rest)
	if s.IsFunction() && !ok {
		return Revision{}, graph.Unclear("the generic signature is not said")
	}
	made, err := e.made(e.file.AddTypeParameters(e.at, list))
	if err != nil || !s.IsFunction() {
		return made, err
	}
	more, err := e.made(e.file.Signature(e.at, signature))
	made.Add(more)
	made.Unread = e.meansNothing(list + strings.TrimPrefix(signature, "func"))
	return made, err
}

// addField gives a struct the field that the change says, or one that nothing else is called like.
func (e *editor) addField() (Revision, error) {
	name, typ, _ := strings.Cut(strings.TrimSpace(e.change.Detail), " ")
	if !token.IsIdentifier(name) || strings.TrimSpace(typ) == "" {
		name, typ = e.change.Terms.Member, ""
	}
	if !token.IsIdentifier(name) {
		name = "NewField"
	}
	if typ == "" {
		return e.made(e.file.AddField(e.at, name+" "+syntax.Unfit))
	}
	typ, imports, err := e.typed(typ)
	if err != nil {
		return Revision{}, err
	}
	made, err := e.made(e.file.AddField(e.at, name+" "+typ))
	made.Add(imports)
	made.Unread = e.meansNothing(typ)
	return made, err
}

// addMethod gives a type that is no interface the method that the change says, or one that nothing else is called like.
func (e *editor) addMethod() (Revision, error) {
	method := e.methodSaid()
	if method == "" {
		name := e.change.Terms.Member
		if !token.IsIdentifier(name) {
			name = "NewMethod"
		}
		method = name + "()"
	}
	expr, err := parser.ParseExpr("func" + method[strings.IndexByte(method, '('):])
	if err != nil {
		return Revision{}, graph.Unclear("%s is no method", method)
	}
	var qualifiers []string
	if _, ok := expr.(*ast.FuncType); ok {
		text := "func" + method[strings.IndexByte(method, '('):]
		qualifiers, _ = e.readType(&text)
		method = method[:strings.IndexByte(method, '(')] + strings.TrimPrefix(text, "func")
	}
	imports, err := e.imports(method, qualifiers)
	if err != nil {
		return Revision{}, err
	}
	made, err := e.made(e.file.AddMethodTo(e.at, method))
	made.Add(imports)
	return made, err
}
