package clang

import (
	"strings"

	"tidepool/internal/lexer"
	"tidepool/tools/internal/query"
)

// inside is inside for C and C++. It knows functions whose head is a type, a name and parameters, in the file, a
// namespace or a class, and variables of the file or a namespace with a value in braces, such as tables of functions.
// Everything else is left to the compiler: what macros may have made, what #if may have opened.
func inside(t lexer.Token, macro func(name string) bool) string {
	if directive(t) != "" {
		return ""
	}
	scope, inner := scopes(t)
	if inner.Kind() == 0 {
		return ""
	}
	head := scope.functionOf(inner, macro)
	if head.name == "" {
		head = scope.variableOf(inner, macro)
	}
	if head.name == "" {
		return ""
	}
	start := head.first
	if scope.first.Kind() != 0 {
		start = scope.first
	}
	if conditional(t.File().Text(start.Start(), inner.Start())) || !settled(inner) {
		return ""
	}
	return scope.join(head.name)
}

// A scope is the namespaces and classes around a place. The former leave no trace in names.
type scope struct {
	names []string    // of the classes, the outermost first
	first lexer.Token // of the statement of the outermost class; zero: there is none
}

// scopes passes over the namespaces and classes around a token. inner is the first bracket that is neither; the zero
// Token if there is none.
func scopes(t lexer.Token) (scope scope, inner lexer.Token) {
	for _, bracket := range query.BracketsAround(t) {
		if namespace(bracket) {
			continue
		}
		name, first := classOf(bracket)
		if name == "" {
			return scope, bracket
		}
		if len(scope.names) == 0 {
			scope.first = first
		}
		scope.names = append(scope.names, name)
	}
	return scope, lexer.Token{}
}

// join writes a name in the scope.
func (s scope) join(name string) string {
	return strings.Join(append(s.names[:len(s.names):len(s.names)], name), "::")
}

// namespace reports whether a bracket opens a namespace, or a block of declarations for a linker.
func namespace(bracket lexer.Token) bool {
	at := bracket.Prev()
	if at.Kind() == lexer.String {
		return bracket.Is("{") && at.Prev().Is("extern")
	}
	for at.Kind() == lexer.Name || at.Is("::") {
		at = at.Prev()
	}
	return bracket.Is("{") && at.Is("namespace")
}

// classOf returns the name of the class or structure that a bracket opens, and the first token of its statement; "" for
// another bracket, and for one of which that is not certain.
func classOf(bracket lexer.Token) (name string, first lexer.Token) {
	at := bracket.Prev()
	for at.Kind() == lexer.Name || at.Is("::", ",", ":", "<", ">", "public", "protected", "private", "virtual", "final") {
		at = at.Prev()
	}
	word := at.Next()
	if !bracket.Is("{") || !at.Is("class", "struct") || word.Kind() != lexer.Name || !word.Next().Is("{", ":", "final") {
		return "", lexer.Token{}
	}
	first = at.Statement()
	if at.Prev().Is(":") || first == at || first.Is("template") {
		return word.Text(), first
	}
	return "", lexer.Token{}
}

// A head is what stands before the body of a function or the value of a variable, or declares a function.
type head struct {
	name  string // with the qualifiers as written; "": it is not certain that there is one
	first lexer.Token
}

// functionOf returns the head of the function that a bracket in the scope opens.
func (s scope) functionOf(bracket lexer.Token, macro func(name string) bool) head {
	end := bracket.Prev()
	for end.Is("const", "noexcept", "override", "final") {
		end = end.Prev()
	}
	if !bracket.Is("{") || !end.Is(")") {
		return head{}
	}
	last := end.Match().Prev()
	if macro(last.Text()) || shouted(last.Text()) && !spelled(end.Match()) {
		return head{}
	}
	return s.headOf(last)
}

// variableOf returns the head of the variable, outside of classes, whose value a bracket opens. The word behind the name may be a macro
// for an attribute, which nothing but its letters tells if the project does not define it.
func (s scope) variableOf(bracket lexer.Token, macro func(name string) bool) head {
	name := bracket.Prev().Prev()
	array := name.Is("]")
	for name.Is("]") && name.Match().Kind() != 0 {
		name = name.Match().Prev()
	}
	text := name.Text()
	if len(s.names) > 0 || !bracket.Is("{") || !bracket.Prev().Is("=") || name.Kind() != lexer.Name || name.Prev().Is("::", ".") {
		return head{}
	}
	if macro(text) || strings.HasPrefix(text, "__") || shouted(text) && !array {
		return head{}
	}
	first, typed := returns(name)
	if !typed {
		return head{}
	}
	return head{name: text, first: first}
}

// shouted reports whether a name has no small letter, as those of most macros.
func shouted(name string) bool { return strings.ToUpper(name) == name }

// spelled reports whether the first parameter has a type and a name, which a macro is hardly ever given.
func spelled(open lexer.Token) bool {
	first := open.Next()
	for first.Is("const", "struct", "union", "enum", "unsigned", "signed") {
		first = first.Next()
	}
	name := first.Next()
	for name.Is("*", "&", "const") {
		name = name.Next()
	}
	return name.Kind() == lexer.Name && name.Next().Is(",", ")", "[")
}

// headOf returns the head of the function that the last part of a name in the scope declares. A lone name among its parameters
// is what a macro is given.
func (s scope) headOf(last lexer.Token) head {
	start := chainStart(last)
	name := last.File().Text(start.Start(), last.End())
	if last.Kind() != lexer.Name || start.Kind() != lexer.Name || strings.ContainsAny(name, " \t\r\n/") {
		return head{}
	}
	first, typed := returns(start)
	if first.Kind() == 0 || !typed && !s.constructs(name) || arguments(last.Next()) {
		return head{}
	}
	return head{name: name, first: first}
}

// constructs reports whether a function of that name without a type is a constructor.
func (s scope) constructs(name string) bool {
	parts := strings.Split(s.join(name), "::")
	return len(parts) > 1 && parts[len(parts)-1] == parts[len(parts)-2]
}

// returns goes back over the type that a function returns, to the first token of its statement. typed says that there is
// one; false as well if something else stands there, and then first is the zero Token.
func returns(start lexer.Token) (first lexer.Token, typed bool) {
	begin := start.Statement()
	for at := start; at != begin; {
		at = at.Prev()
		switch {
		case at.Is(":") && at.Prev().Is("public", "protected", "private"):
			return at.Next(), typed
		case at.Is("static", "inline", "extern", "virtual", "explicit", "constexpr", "friend", "const", "volatile", "template", "typename"):
		case at.Is("*", "&", "&&", "::", "<", ">", ","), at.Kind() == lexer.Number:
		case at.Kind() == lexer.Name, at.Is("auto", "bool", "char", "class", "double", "enum", "float", "int", "long", "short",
			"signed", "struct", "union", "unsigned", "void", "wchar_t"):
			typed = true
		default:
			return lexer.Token{}, false
		}
	}
	return begin, typed
}

// arguments reports whether parentheses hold a lone name, as those of a macro do and those of a function hardly ever.
func arguments(open lexer.Token) bool {
	for at := open.Next(); at.Kind() != 0 && at != open.Match(); at = at.Next() {
		if at.Kind() == lexer.Name && at.Prev().Is("(", ",") && at.Next().Is(")", ",") && at.Outer() == open {
			return true
		}
	}
	return false
}

// declarator reports whether a name certainly is that of a function declared in the file, a namespace or a class.
func declarator(t lexer.Token) bool {
	scope, inner := scopes(t)
	if inner.Kind() != 0 || !t.Next().Is("(") || directive(t) != "" || shouted(t.Text()) || scope.headOf(t).name == "" {
		return false
	}
	return bodyBehind(t).Is(";", "{")
}

// bodyBehind returns what follows the head of a function, given its name: the brace of its body, or a semicolon.
func bodyBehind(t lexer.Token) lexer.Token {
	behind := t.Next().Match().Next()
	for behind.Is("const", "noexcept", "override", "final") {
		behind = behind.Next()
	}
	return behind
}
