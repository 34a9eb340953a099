package lsp

import "strings"

// refineClang splits the container "ns::T" of a symbol. clangd does not say which components are namespaces: of a
// member the last one is taken for its type, and what a type lies in for a namespace. In call hierarchies and in
// documents the name holds the container: "T::m".
func refineClang(symbol *Symbol, line string) {
	scope := clangScope(symbol.Package)
	if at := strings.LastIndex(symbol.Name, "::"); at >= 0 && !strings.Contains(symbol.Name, "operator") {
		scope = append(scope, clangScope(symbol.Name[:at])...)
		symbol.Name = symbol.Name[at+2:]
	}
	symbol.Kind = clangKind(*symbol, line)
	switch symbol.Kind {
	case KindMethod, KindField, KindProperty, KindEnumMember:
		if last := len(scope) - 1; last >= 0 {
			symbol.Receiver, scope = scope[last], scope[:last]
		}
	}
	symbol.Package = strings.Join(scope, ".")
}

// clangScope is the components of a scope that have names.
func clangScope(scope string) []string {
	var named []string
	for component := range strings.SplitSeq(scope, "::") {
		if component != "" && !strings.HasPrefix(component, "(") { // "(anonymous union)"
			named = append(named, component)
		}
	}
	return named
}

// clangKind is the kind in our words. Unions and aliases come as classes.
func clangKind(symbol Symbol, line string) Kind {
	switch symbol.Kind {
	case KindConstructor: // destructors among them
		return KindMethod
	case KindOther:
		return clangMacro(symbol.Name, line)
	case KindClass:
		return clangClass(symbol.Name, line)
	}
	return symbol.Kind
}

func clangClass(name, line string) Kind {
	before, _, _ := strings.Cut(line, name)
	words := strings.Fields(before)
	switch {
	case len(words) > 0 && words[0] == "typedef", len(words) > 0 && words[len(words)-1] == "using":
		return KindType
	case strings.HasPrefix(strings.TrimSpace(line), "}"): // the end of a typedef
		return KindType
	case len(words) > 0 && words[len(words)-1] == "union":
		return KindStruct
	}
	return KindClass
}

// clangMacro tells a macro that looks like a function from others.
func clangMacro(name, line string) Kind {
	directive, isMacro := strings.CutPrefix(strings.TrimSpace(line), "#")
	word, rest := clangWord(directive)
	if !isMacro || word != "define" {
		return KindOther
	}
	if strings.HasPrefix(strings.TrimLeft(rest, " \t"), name+"(") {
		return KindFunction
	}
	return KindConstant
}
