package clang

import (
	"strings"

	"tidepool/lsp/internal/session"
)

// refine splits the container "ns::T" of a symbol. clangd does not say which components are namespaces: of a
// member the last one is taken for its type, and what a type lies in for a namespace. In call hierarchies and in
// documents the name holds the container: "T::m".
func refine(symbol *session.Symbol, line func() string) {
	scope := scopeOf(symbol.Package)
	if at := strings.LastIndex(symbol.Name, "::"); at >= 0 && !strings.Contains(symbol.Name, "operator") {
		scope = append(scope, scopeOf(symbol.Name[:at])...)
		symbol.Name = symbol.Name[at+2:]
	}
	symbol.Kind = kind(*symbol, line())
	switch symbol.Kind {
	case session.KindMethod, session.KindField, session.KindProperty, session.KindEnumMember:
		if last := len(scope) - 1; last >= 0 {
			symbol.Receiver, scope = scope[last], scope[:last]
		}
	}
	symbol.Package = strings.Join(scope, ".")
}

// scopeOf returns the components of a scope that have names. Of the function that a class stands in, clangd writes the parameters
// too.
func scopeOf(scope string) []string {
	var named []string
	for component := range strings.SplitSeq(bare(scope), "::") {
		if component != "" {
			named = append(named, component)
		}
	}
	return named
}

// bare leaves out what stands in parentheses: parameters, and "(anonymous union)".
func bare(scope string) string {
	if !strings.Contains(scope, "(") {
		return scope
	}
	depth := 0
	return strings.Map(func(r rune) rune {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
			return -1
		}
		if depth > 0 {
			return -1
		}
		return r
	}, scope)
}

// kind returns the kind in our words. Unions and aliases come as classes.
func kind(symbol session.Symbol, line string) session.Kind {
	switch symbol.Kind {
	case session.KindConstructor: // destructors among them
		return session.KindMethod
	case session.KindOther:
		return kindOfMacro(symbol.Name, line)
	case session.KindClass:
		return class(symbol.Name, line)
	}
	return symbol.Kind
}

func class(name, line string) session.Kind {
	before, _, _ := strings.Cut(line, name)
	words := strings.Fields(before)
	switch {
	case len(words) > 0 && words[0] == "typedef", len(words) > 0 && words[len(words)-1] == "using":
		return session.KindType
	case strings.HasPrefix(strings.TrimSpace(line), "}"): // the end of a typedef
		return session.KindType
	case len(words) > 0 && words[len(words)-1] == "union":
		return session.KindStruct
	}
	return session.KindClass
}

// kindOfMacro tells a macro that looks like a function from others.
func kindOfMacro(name, line string) session.Kind {
	directive, isMacro := strings.CutPrefix(strings.TrimSpace(line), "#")
	word, rest := cutWord(directive)
	if !isMacro || word != "define" {
		return session.KindOther
	}
	if strings.HasPrefix(strings.TrimLeft(rest, " \t"), name+"(") {
		return session.KindFunction
	}
	return session.KindConstant
}
