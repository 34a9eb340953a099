package packages

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/syntax"
)

// A platform is the packages of the tree as one system builds them, with some files edited. [foreign]
// are those beyond the tree.
type platform struct {
	work     *Work
	system   build.Context
	fset     *token.FileSet
	edited   map[string]*ast.File
	texts    map[string]revised          // of edited
	packages map[string]*platformPackage // by directory
	others   map[string]*platformPackage // of another platform: those that no edit touches are the same
}

// A platformPackage is one that others import.
type platformPackage struct {
	pkg     *types.Package // nil: in the making
	whole   bool           // it compiles, as far as declarations go, and so does all that it imports
	lacks   bool           // it, or what it imports, is not meant for the system: it lacks declarations there
	touched bool           // by an edit, its own or that of what it imports
}

func newPlatform(w *Work, system build.Context, texts map[string]revised) *platform {
	p := &platform{
		work: w, system: system, fset: token.NewFileSet(),
		edited: make(map[string]*ast.File), texts: texts, packages: make(map[string]*platformPackage),
	}
	if len(texts) == 0 {
		return p
	}
	apart := token.NewFileSet() // from the positions of the files as they are
	apart.AddFile("", math.MaxInt/2, 0)
	for path, r := range texts {
		file, _ := parser.ParseFile(apart, path, r.text, parser.SkipObjectResolution) // as far as it goes
		p.edited[path] = file
		p.fset.AddExistingFiles(apart.File(file.FileStart))
	}
	return p
}

// syntaxOf makes the positions of files known, and takes the edited ones as they are edited.
func (p *platform) syntaxOf(files []*syntax.File) (all []*ast.File, touched bool) {
	for _, f := range files {
		if file, ok := p.edited[f.Path]; ok {
			all, touched = append(all, file), true
			continue
		}
		parsed, lines := f.Syntax()
		p.fset.AddExistingFiles(lines)
		all = append(all, parsed)
	}
	return all, touched
}

// load returns the package of a directory as others import it; nil for one that imports itself.
func (p *platform) load(dir string) *platformPackage {
	if known, ok := p.packages[dir]; ok {
		if known.pkg == nil {
			return nil
		}
		return known
	}
	if other := p.others[dir]; other != nil && other.pkg != nil && !other.touched {
		p.packages[dir] = other
		return other
	}
	made := &platformPackage{}
	p.packages[dir] = made
	var files []*syntax.File
	for _, f := range p.work.read(dir) {
		if !f.Test() && buildsFile(p.system, f) {
			files = append(files, f)
		}
	}
	c := p.checking(dir, nil)
	parsed, touched := p.syntaxOf(files)
	pkg := c.run(parsed, true)
	*made = platformPackage{pkg: pkg, whole: c.whole && len(c.problems) == 0, lacks: c.lacks, touched: touched || c.touched}
	return made
}

// check type-checks a variant. What it returns is whole if nothing that is imported is missing or does not compile, and
// every file can be read.
func (p *platform) check(dir string, v variant) *checking {
	c := p.checking(dir, nil)
	own, _ := p.syntaxOf(slices.Concat(v.files, v.tests))
	c.only(own, v)
	tested := c.run(own, false)
	if len(v.external) > 0 {
		external := p.checking(dir, tested)
		parsed, _ := p.syntaxOf(v.external)
		external.only(parsed, v)
		external.run(parsed, false)
		c.problems, c.whole = append(c.problems, external.problems...), c.whole && external.whole
		c.lacks = c.lacks || external.lacks
	}
	for _, f := range slices.Concat(v.files, v.tests, v.external) {
		c.whole = c.whole && f.Broken() == nil
	}
	return c
}

// sees lists the files in which no problem is hidden by others: those without one, none where one is in a declaration.
func (c *checking) sees(v variant) map[string]bool {
	hides, all := make(map[string]bool), !c.whole
	for _, p := range c.problems {
		if !strings.Contains(p.Message, ownAttributes) {
			hides[p.At.Path] = true
			all = all || !p.inBody
		}
	}
	seen := make(map[string]bool)
	for _, f := range slices.Concat(v.files, v.tests, v.external) {
		seen[f.Path] = !all && !hides[f.Path]
	}
	return seen
}

// ownAttributes are what os/exec has of the system that we run on even where syscall is another's. That they do not fit
// hides nothing.
const ownAttributes = "syscall.SysProcAttr"

// A found problem is one of which it is known whether it is in the body of a function.
type found struct {
	fact.Problem
	inBody bool
}

// A checking type-checks one package of a platform.
type checking struct {
	*platform
	dir      string
	tested   *types.Package // the package that dir's external tests see; nil outside of these
	files    []*ast.File
	problems []found
	whole    bool // nothing that is imported is missing or does not compile
	lacks    bool // it, or something that is imported, lacks declarations
	touched  bool // something that is imported is
}

func (p *platform) checking(dir string, tested *types.Package) *checking {
	return &checking{platform: p, dir: dir, tested: tested, whole: true}
}

// only empties the functions that are not looked into.
func (c *checking) only(files []*ast.File, v variant) {
	for i, file := range files {
		if !v.looksInto(c.fset.File(file.FileStart).Name()) {
			files[i] = hollow(file)
		}
	}
}

func (c *checking) run(files []*ast.File, bare bool) *types.Package {
	c.files = files
	path := c.work.modules.importPath(c.dir)
	if c.tested != nil {
		path += "_test"
	}
	config := types.Config{
		IgnoreFuncBodies: bare, DisableUnusedImportCheck: true,
		Importer: c, Error: c.note, Sizes: types.SizesFor("gc", c.system.GOARCH),
	}
	pkg, _ := config.Check(path, c.fset, files, nil)
	return pkg
}

func (c *checking) note(err error) {
	if wrong, ok := err.(types.Error); ok {
		at := c.fset.PositionFor(wrong.Pos, false)
		place := fact.Place{Path: at.Filename, Line: at.Line, Column: at.Column}
		if r, ok := c.texts[at.Filename]; ok {
			place = r.home(at.Filename, at.Offset)
		}
		name, undefined := strings.CutPrefix(wrong.Msg, "undefined: ")
		c.lacks = c.lacks || undefined && !strings.Contains(name, ".")
		c.problems = append(c.problems, found{fact.Problem{At: place, Message: wrong.Msg}, c.inBody(wrong.Pos)})
	}
}

func (c *checking) inBody(pos token.Pos) bool {
	return slices.ContainsFunc(c.files, func(file *ast.File) bool {
		return file.FileStart <= pos && pos <= file.FileEnd && slices.ContainsFunc(file.Decls, func(decl ast.Decl) bool {
			fn, ok := decl.(*ast.FuncDecl)
			return ok && fn.Body != nil && fn.Body.Pos() <= pos && pos < fn.Body.End()
		})
	})
}

// Import never fails: what cannot be found is empty.
func (c *checking) Import(path string) (*types.Package, error) {
	dir := c.work.directory(path)
	switch {
	case path == "C":
		c.whole = false // what it declares is not known
		return nothing(path), nil
	case dir == "":
		return c.work.foreign.load(c.work, path, c.work.modules.of(c.dir), c.system), nil
	case dir == c.dir && c.tested != nil:
		return c.tested, nil
	}
	made := c.load(dir)
	if made == nil {
		c.whole = false
		return nothing(path), nil
	}
	c.whole, c.lacks, c.touched = c.whole && made.whole, c.lacks || made.lacks, c.touched || made.touched
	return made.pkg, nil
}
