package edit

import (
	"go/ast"
	"go/parser"
	"path"
	"slices"
	"strconv"
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/tools/internal/graph"
)

// retype gives the subject the type that the change says.
func (e *editor) retype() (Revision, error) {
	if typ := e.aliased(); typ != "" {
		return e.made(e.file.Retype(e.at, typ))
	}
	typ, imports, err := e.typed(e.change.Terms.To, e.change.Detail)
	if err != nil {
		return Revision{}, err
	}
	made, err := e.made(e.file.Retype(e.at, typ))
	if err != nil {
		return made, err
	}
	made.Add(imports)
	made.Unread = e.meansNothing(typ)
	return made, nil
}

// aliased returns "= T" for a type T that is to become an alias of what it is made of; "" for other changes.
func (e *editor) aliased() string {
	t, ok := e.file.Type(e.at)
	if !ok || !says(e.change.Terms.To, "alias") && !says(e.change.Detail, "alias") {
		return ""
	}
	start, end, ok := e.file.Head(e.at)
	if !ok || t.Form == syntax.Struct || t.Form == syntax.Interface {
		return ""
	}
	if typ, ok := strings.CutPrefix(e.file.Between(start, end, nil), e.name+" "); ok && !strings.HasPrefix(typ, "=") {
		return "= " + typ
	}
	return ""
}

// typed returns the first of texts that is a type, as the file would write it, with the imports that it needs.
func (e *editor) typed(said ...string) (typ string, imports Revision, err error) {
	if strings.TrimSpace(strings.Join(said, "")) == "" {
		return "", imports, graph.Unclear("the new type is not said")
	}
	typ, qualifiers, ok := e.newType(said)
	if !ok {
		first := slices.IndexFunc(said, func(s string) bool { return strings.TrimSpace(s) != "" })
		return "", imports, graph.Unclear("%q is no type: say the new one", strings.TrimSpace(said[first]))
	}
	imports, err = e.imports(typ, qualifiers)
	return typ, imports, err
}

// imports brings the packages into the file that a text is written with.
func (e *editor) imports(text string, qualifiers []string) (all Revision, err error) {
	for _, name := range qualifiers {
		path, here := e.importPath(name)
		if path == "" {
			return all, graph.Unclear("%s", e.meansNothing(text))
		}
		if !here {
			added, err := e.made(e.file.Import(name, path))
			if err != nil {
				return all, err
			}
			all.Add(added)
		}
	}
	return all, nil
}

// meansNothing is why nothing was tried with a text whose names the file does not know.
func (e *editor) meansNothing(text string) string {
	return strconv.Quote(text) + " means nothing in " + e.shown + ": say what is there"
}

// newType returns the first type that texts say, as the file would write it, with the names of the packages in it.
func (e *editor) newType(texts []string) (typ string, qualifiers []string, ok bool) {
	for _, said := range texts {
		typ = strings.Join(strings.Fields(strings.Trim(said, " `'\".,;?")), " ")
		_, after, found := strings.Cut(typ, " to ")
		for _, text := range []string{typ, after} {
			if text == "" || !found && text == after {
				continue
			}
			if qualifiers, ok := e.readType(&text); ok {
				return text, qualifiers, true
			}
		}
	}
	return "", nil, false
}

// readType takes the qualifier of the file's own package off a type and lists the others.
func (e *editor) readType(typ *string) ([]string, bool) {
	expr, err := parser.ParseExpr(*typ)
	if err != nil || !isTypeExpr(expr) {
		return nil, false
	}
	var qualifiers []string
	var own []int // offsets of the qualifiers of the file's own package
	ast.Inspect(expr, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := selector.X.(*ast.Ident); ok && id.Name == e.file.Package && e.file.Imports()[id.Name] == "" {
			own = append(own, int(id.Pos())-1)
		} else if ok && !slices.Contains(qualifiers, id.Name) {
			qualifiers = append(qualifiers, id.Name)
		}
		return false
	})
	for _, at := range slices.Backward(own) {
		*typ = (*typ)[:at] + (*typ)[at+len(e.file.Package)+1:]
	}
	return qualifiers, true
}

// isTypeExpr tells expressions that may be types from those that cannot.
func isTypeExpr(expr ast.Expr) bool {
	switch x := expr.(type) {
	case *ast.Ident, *ast.ArrayType, *ast.MapType, *ast.FuncType, *ast.ChanType, *ast.StructType, *ast.InterfaceType:
		return true
	case *ast.SelectorExpr:
		_, ok := x.X.(*ast.Ident)
		return ok
	case *ast.StarExpr:
		return isTypeExpr(x.X)
	case *ast.ParenExpr:
		return isTypeExpr(x.X)
	case *ast.IndexExpr:
		return isTypeExpr(x.X) && isTypeExpr(x.Index)
	case *ast.IndexListExpr:
		return isTypeExpr(x.X) && !slices.ContainsFunc(x.Indices, func(i ast.Expr) bool { return !isTypeExpr(i) })
	}
	return false
}

// importPath finds the package that name would mean in the file, and whether the file imports it; "" if none is found.
func (e *editor) importPath(name string) (path string, here bool) {
	if path := e.file.Imports()[name]; path != "" {
		return path, true
	}
	for _, f := range e.files.Package(e.file.Path) {
		if path := f.Imports()[name]; path != "" {
			return path, false
		}
	}
	return standardPackage(name), false
}

// standardPackage returns the path of the package of the standard library with a name; "" if there is none. Where there
// are several it is the one that is used more.
func standardPackage(name string) string {
	for full := range strings.FieldsSeq(standardPackages) {
		if path.Base(full) == name {
			return full
		}
	}
	return ""
}

const standardPackages = `
archive/tar archive/zip bufio bytes cmp compress/bzip2 compress/flate compress/gzip compress/lzw
compress/zlib container/heap container/list container/ring context crypto crypto/aes crypto/cipher
crypto/des crypto/dsa crypto/ecdh crypto/ecdsa crypto/ed25519 crypto/elliptic crypto/fips140 crypto/hkdf
crypto/hmac crypto/hpke crypto/md5 crypto/mlkem crypto/mlkem/mlkemtest crypto/pbkdf2 crypto/rc4
crypto/rsa crypto/sha1 crypto/sha256 crypto/sha3 crypto/sha512 crypto/subtle crypto/tls crypto/x509
crypto/x509/pkix database/sql database/sql/driver debug/buildinfo debug/dwarf debug/elf debug/gosym
debug/macho debug/pe debug/plan9obj embed encoding encoding/ascii85 encoding/asn1 encoding/base32
encoding/base64 encoding/binary encoding/csv encoding/gob encoding/hex encoding/json encoding/pem
encoding/xml errors expvar flag fmt go/ast go/build go/build/constraint go/constant go/doc go/doc/comment
go/format go/importer go/parser go/printer go/token go/types go/version hash hash/adler32 hash/crc32
hash/crc64 hash/fnv hash/maphash html image image/color image/color/palette image/draw image/gif
image/jpeg image/png index/suffixarray io io/fs io/ioutil iter log log/slog log/syslog maps math math/big
math/bits math/cmplx math/rand mime mime/multipart mime/quotedprintable net net/http net/http/cgi
net/http/cookiejar net/http/fcgi net/http/httptest net/http/httptrace net/http/httputil net/http/pprof
net/mail net/netip net/rpc net/rpc/jsonrpc net/smtp net/textproto net/url os os/exec os/signal os/user
path path/filepath plugin reflect regexp runtime runtime/cgo runtime/coverage runtime/debug
runtime/metrics runtime/pprof runtime/race runtime/trace slices sort strconv strings structs sync
sync/atomic syscall testing text/scanner text/tabwriter text/template text/template/parse time
time/tzdata unicode unicode/utf16 unicode/utf8 unique unsafe weak crypto/rand go/scanner html/template
regexp/syntax`
