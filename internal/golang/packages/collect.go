package packages

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/syntax"
)

// A collector collects the facts of one type-checked package.
type collector struct {
	work  *Work
	info  *types.Info
	pkg   *types.Package
	facts *Facts

	otherPlatform, test bool // of the file at hand
}

func (c *collector) file(f *syntax.File, parsed *ast.File, otherPlatform bool) {
	c.otherPlatform, c.test = otherPlatform, f.Test()
	for _, decl := range parsed.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			c.function(d)
		case *ast.GenDecl:
			c.declaration(d)
		}
	}
}

func (c *collector) function(d *ast.FuncDecl) {
	fn := fact.Function{Name: d.Name.Name, At: c.work.at(d.Name.Pos()), Package: c.pkg.Path(), Test: c.test, OtherPlatform: c.otherPlatform}
	if obj, ok := c.info.Defs[d.Name].(*types.Func); ok {
		fn.Fails = fails(obj.Signature())
		if recv := obj.Signature().Recv(); recv != nil {
			if named := namedOf(recv.Type()); named != nil {
				fn.Receiver = c.work.place(named.Obj())
				fn.Name = named.Obj().Name() + "." + fn.Name
			}
		}
	}
	if d.Body != nil {
		c.body(&fn, d)
		fn.Uses = slices.Clone(fn.Uses) // without room for more: a large tree has a million
	}
	if c.test {
		fn.Words = wordsIn(d)
	}
	c.facts.Functions = append(c.facts.Functions, fn)
}

// declaration collects types, and the variables of a package with what they are made of.
func (c *collector) declaration(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			c.typ(s.Name)
		case *ast.ValueSpec:
			if d.Tok == token.VAR {
				c.variable(s)
			}
		}
	}
}

func (c *collector) variable(s *ast.ValueSpec) {
	made := fact.Function{Package: c.pkg.Path(), Variable: true, Test: c.test, OtherPlatform: c.otherPlatform}
	for i, name := range s.Names {
		made.Name, made.At = name.Name, c.work.at(name.Pos())
		if i < len(s.Values) {
			c.row(&made, s.Values[i])
		}
		if i == 0 {
			c.body(&made, s)
			if c.test {
				made.Words = wordsIn(s)
			}
		}
		c.facts.Functions = append(c.facts.Functions, made)
	}
}

// body collects what a declaration uses and lists.
func (c *collector) body(fn *fact.Function, root ast.Node) {
	listed := lists{collector: c, in: fn}
	ast.PreorderStack(root, nil, func(n ast.Node, stack []ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			c.use(fn, n, stack)
		case *ast.TypeSpec:
			c.typ(n.Name)
		case *ast.CompositeLit:
			fn.Rows += len(n.Elts)
			listed.literal(n)
			listed.keys(n)
		case *ast.SelectorExpr:
			listed.selected(n, stack)
		case *ast.IndexExpr:
			listed.indexed(n)
		case *ast.SwitchStmt:
			listed.switched(n)
		case *ast.TypeSwitchStmt:
			listed.typeSwitched(n)
		case *ast.BinaryExpr:
			listed.compared(n)
		case *ast.AssignStmt:
			listed.asserted(n)
		}
		return true
	})
	listed.close()
}

// use takes note of an identifier that means something of the tree.
func (c *collector) use(fn *fact.Function, id *ast.Ident, stack []ast.Node) {
	obj := origin(c.info.Uses[id])
	to := c.work.place(obj)
	if to == (fact.Place{}) || to == fn.At {
		return
	}
	var kind fact.UseKind
	var fate fact.ErrorUse
	switch obj := obj.(type) {
	case *types.Func:
		if kind = fact.Taken; called(id, stack) {
			kind, fate = fact.Called, c.errorUse(obj, id, stack)
		}
	case *types.TypeName:
		if kind = fact.Built; parameter(obj) || tested(stack) || given(stack) {
			return
		}
	case *types.Var:
		if kind = fact.Read; obj.Pkg().Scope().Lookup(obj.Name()) != obj {
			return // of a function, or a field
		}
	default:
		return
	}
	fn.Uses = append(fn.Uses, fact.Use{
		To: to, At: c.work.at(id.Pos()), Kind: kind, Closure: inClosure(stack), ErrorUse: fate, Needs: c.needs(id, stack),
	})
}

// origin returns the declaration of what may be an instance of it.
func origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	}
	return obj
}

// called reports whether an identifier, or the selector that ends in it, is what a call calls.
func called(id *ast.Ident, stack []ast.Node) bool {
	var child ast.Node = id
	for i := len(stack) - 1; i >= 0; i-- {
		switch n := stack[i].(type) {
		case *ast.SelectorExpr:
			if n.Sel != child {
				return false
			}
		case *ast.ParenExpr:
		case *ast.IndexExpr:
			if n.X != child {
				return false
			}
		case *ast.IndexListExpr:
			if n.X != child {
				return false
			}
		case *ast.CallExpr:
			return n.Fun == child
		default:
			return false
		}
		child = stack[i]
	}
	return false
}

// tested reports whether a type is named only to ask whether a value has it.
func tested(stack []ast.Node) bool {
	for i := len(stack) - 1; i > 0; i-- {
		switch n := stack[i].(type) {
		case *ast.SelectorExpr, *ast.StarExpr, *ast.ParenExpr:
			continue
		case *ast.TypeAssertExpr:
			return true
		case *ast.CaseClause:
			_, isTypeSwitch := stack[max(i-2, 0)].(*ast.TypeSwitchStmt)
			return isTypeSwitch && n != nil
		}
		return false
	}
	return false
}

// parameter reports whether a type stands for others.
func parameter(obj *types.TypeName) bool {
	_, ok := obj.Type().(*types.TypeParam)
	return ok
}

// given reports whether a type is named for what callers pass.
func given(stack []ast.Node) bool {
	for i, n := range stack[1:] {
		switch outer := stack[i].(type) {
		case *ast.FuncDecl:
			if outer.Recv == n {
				return true
			}
		case *ast.FuncType:
			if outer.Params == n {
				return true
			}
		}
	}
	return false
}

func inClosure(stack []ast.Node) bool {
	for _, n := range stack {
		if _, ok := n.(*ast.FuncLit); ok {
			return true
		}
	}
	return false
}

// fails reports whether a function has an error among its results.
func fails(s *types.Signature) bool {
	for v := range s.Results().Variables() {
		if isError(v.Type()) {
			return true
		}
	}
	return false
}

// namedOf returns the named type below pointers and aliases; nil if there is none.
func namedOf(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		return named.Origin()
	}
	return nil
}
