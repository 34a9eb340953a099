package haskell

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/lsp"
	"tidepool/tools/internal/code"
	"tidepool/tools/internal/toolstest"
)

const source = `module Store (Order (..), total) where

import qualified Data.Map.Strict as Map

-- | An order
-- of items.
data Order = Order
  { number :: !Int        -- ^ counts from 1
  , from, to :: Map.Map String (Maybe Int)
  , price  :: Int -> (Double, Double)
  } deriving (Show, Eq)

data State = Indexing | Ready deriving (Show)
data Foo = Bar { x :: Int, y :: String } | Baz deriving stock (Eq)
newtype Wrap a = Wrap { unwrap :: a }
data (Ord a) => Tree a = Leaf | Node (Tree a) !a (Maybe Int) [Tree a] | Tree a :+: Int

data Expr a where
  Lit :: Int -> Expr Int  -- ^ a number
  Add, Sub :: Expr Int -> Expr Int -> Expr Int
  Rec :: { field :: Bool, other :: !Int } -> Expr a
  If  :: forall a. (Show a) => Expr Bool
      -> Expr a -> Expr a
  deriving Show

class (Eq a) => Shape a where
  -- | Its size.
  area :: a -> Double
  name, label :: a -> String
  name _ = "shape"

type Name = Map.Map String Order
type family Elem c :: Type
type family Sum a where
  Sum Int = Integer
  Sum a = a
type instance Elem [e] = e

instance Shape Order where
  area o = 1

total :: Map.Map String Double -> Order -> Double
total rates order = fromIntegral (number order)

make :: Int -> Maybe Order
make n = Just Order { number = n }

(<+>) :: Order -> Order -> Order
a <+> b = a
`

// onDisk writes a file and returns an inquiry that reads it, and where names are in it.
func onDisk(t *testing.T, name, text string) (*code.Inquiry, func(before, name string) lsp.Symbol) {
	dir, symbol := toolstest.OnDisk(t, name, text)
	return new(code.Memory).Inquiry(nil, dir, func(string) code.Language { return Language() }), symbol
}

func TestHaskellConstructors(t *testing.T) {
	q, symbol := onDisk(t, "Store.hs", source)
	tests := []struct {
		before, name, form string
		want               []string // shown / types of fields
	}{
		{"data ", "Order", "data", []string{
			"Order { number :: !Int , from, to :: Map.Map String (Maybe Int) , price :: Int -> (Double, Double) } / " +
				"Int & Map.Map String (Maybe Int) & Map.Map String (Maybe Int) & Int -> (Double, Double) record"}},
		{"data ", "State", "data", []string{"Indexing / ", "Ready / "}},
		{"data ", "Foo", "data", []string{"Bar { x :: Int, y :: String } / Int & String record", "Baz / "}},
		{"newtype ", "Wrap", "newtype", []string{"Wrap { unwrap :: a } / a record"}},
		{"(Ord a) => ", "Tree", "data", []string{
			"Leaf / ", "Node (Tree a) !a (Maybe Int) [Tree a] / (Tree a) & a & (Maybe Int) & [Tree a]", "Tree a :+: Int / Tree a & Int"}},
		{"data ", "Expr", "GADT", []string{
			"Lit :: Int -> Expr Int / Int", "Add, Sub :: Expr Int -> Expr Int -> Expr Int / Expr Int & Expr Int",
			"Sub :: Expr Int -> Expr Int -> Expr Int / Expr Int & Expr Int", "Rec :: { field :: Bool, other :: !Int } -> Expr a / Bool & Int record",
			"If :: forall a. (Show a) => Expr Bool -> Expr a -> Expr a / Expr Bool & Expr a"}},
		{"type family ", "Sum", "type family", []string{"Sum Int = Integer / ", "Sum a = a / "}},
		{"type family ", "Elem", "type family", nil},
	}
	for _, tt := range tests {
		d, ok := typeOf(q, symbol(tt.before, tt.name).Location)
		if !ok || d.form != tt.form || d.name != tt.name {
			t.Errorf("%s: got %s %s", tt.name, d.form, d.name)
			continue
		}
		var got []string
		for _, c := range d.made() {
			line := c.Shown + " / " + strings.Join(c.Fields, " & ")
			if c.IsRecord {
				line += " record"
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestHaskellFields(t *testing.T) {
	q, symbol := onDisk(t, "Store.hs", source)
	tests := []struct {
		before, name string
		want         []string
		problem      string
	}{
		{"data ", "Order", []string{
			"8 number Int strict // counts from 1", "9 from Map.Map String (Maybe Int)", "9 to Map.Map String (Maybe Int)", "10 price Int -> (Double, Double)"}, ""},
		{"data ", "Foo", []string{"14 x Int", "14 y String"}, "Foo has 2 constructors; show_constructors tells which has which fields"},
		{"data ", "State", nil, "State is no record; show_constructors lists its 2 constructors"},
		{"data ", "Expr", []string{"21 field Bool", "21 other Int strict"}, "Expr has 5 constructors; show_constructors tells which has which fields"},
		{"=> ", "Shape", []string{"area func :: a -> Double // Its size.", "name func :: a -> String", "label func :: a -> String"}, "Shape is a class: it has methods, no fields"},
		{"type family ", "Elem", nil, "Elem is a type family, not a record; show_constructors lists its instances"},
	}
	for _, tt := range tests {
		out := &code.Record{}
		if err := fields(t.Context(), q, symbol(tt.before, tt.name), out); err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var got []string
		for _, f := range out.Fields {
			line := fmt.Sprintf("%d %s %s", f.Line, f.Name, f.Type)
			if f.Strict {
				line += " strict"
			}
			got = append(got, strings.TrimSuffix(line+" // "+f.Doc, " // "))
		}
		for _, m := range out.Methods {
			got = append(got, strings.TrimSuffix(m.Name+" "+m.Type+" // "+m.Doc, " // "))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || out.Problem != tt.problem {
			t.Errorf("%s: %q %s", tt.name, out.Problem, diff)
		}
	}
}

func TestHaskellMade(t *testing.T) {
	q, symbol := onDisk(t, "Store.hs", source)
	order, _ := typeOf(q, symbol("data ", "Order").Location)
	made := maker{q: q, d: order, seen: make(map[code.Spot]bool)}
	for _, before := range []string{"Double -> ", "Maybe ", "(<+>) :: Order -> Order -> "} {
		if err := made.reference(symbol(before, "Order").Location); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, c := range made.functions {
		got = append(got, c.Shown)
	}
	if diff := cmp.Diff([]string{"make :: Int -> Maybe Order", "(<+>) :: Order -> Order -> Order"}, got); diff != "" {
		t.Error(diff)
	}
	shape, _ := typeOf(q, symbol("=> ", "Shape").Location)
	made = maker{q: q, d: shape, seen: make(map[code.Spot]bool)}
	if err := made.reference(symbol("instance ", "Shape").Location); err != nil || len(made.instances) != 1 || made.instances[0].Shown != "instance Shape Order" {
		t.Errorf("got %v, %v", made.instances, err)
	}
}

func TestHaskellUse(t *testing.T) {
	for text, want := range map[string]string{
		"f x = §total x":                              "call",
		"f = §total":                                  "value",
		"f = map §total xs":                           "value map",
		"f x = x `§total` y":                          "call",
		"f x = Store.§total x":                        "call",
		"f x = §total $ x":                            "call",
		"f = do\n  §total\n    x":                     "call",
		"f = do\n  §total\n  x":                       "value",
		"import Store (§total)":                       "import",
		"module Store (§total) where":                 "export",
		"§total :: Int":                               "declaration",
		"§total x = 1":                                "declaration",
		"f :: Int -> §Order":                          "type",
		"f x = (x :: §Order)":                         "type",
		"data T = A §Order":                           "type",
		"data T = §Order Int":                         "declaration",
		"data T = A | §Order Int":                     "declaration",
		"data T = A Int deriving (§Show)":             "implements",
		"instance §Shape Order where":                 "implements",
		"instance Eq a => §Shape (Wrap a) where":      "implements",
		"instance Shape §Order where\n  area x = 1":   "type",
		"instance Shape Order where\n  §area x = 1":   "declaration",
		"f (§Lit n) = n":                              "case",
		"f e = case e of\n  §Lit n -> n":              "case",
		"f e = case e of §Lit n -> n":                 "case",
		"f n = §Lit n":                                "new",
		"f n = §Map.insert n":                         "qualifier",
		"f e = case e of\n  Lit n -> Add (§Lit n) n":  "new",
		"f = a §<+> b":                                "call",
		"-- §total":                                   "",
		"data T where\n  §Lit :: Int -> T":            "declaration",
		"data Order = Order { §number :: Int }":       "declaration",
		"data Order = Order { a, §number :: Int }":    "declaration",
		"class Shape a where\n  §area :: a -> Double": "declaration",
	} {
		_, at := toolstest.Mark(t, "A.hs", text)
		u := useOf(at)
		if got := strings.TrimSpace(u.Kind + " " + u.Passed); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestHaskellNameAt(t *testing.T) {
	q, symbol := onDisk(t, "A.hs", "data T = A | B{x::Int}\nf(A)=g(A)\n(<+>) a b = a\nh = 1 `g` 2\n")
	for _, tt := range []struct{ before, at, want string }{
		{"data ", "T", "T"},
		{"= ", "A", "A"},
		{"f(", "A", "A"},
		{"g(", "A", "A"},
		{"B{", "x", "x"},
		{"\n", "f", "f"},
		{"\n", "(<+>)", "<+>"},
		{"1 ", "`g`", "g"},
	} {
		at := symbol(tt.before, tt.at).Location
		f, err := q.Lexed.Open(at.Path)
		if err != nil {
			t.Fatal(err)
		}
		if got := nameAt(f, at).Text(); got != tt.want {
			t.Errorf("%s%s: got %q, want %q", tt.before, tt.at, got, tt.want)
		}
	}
	if u, err := use(t.Context(), q, symbol("g(", "A").Location); err != nil || u.Kind != "new" && u.Kind != "value" {
		t.Errorf("A in g(A): %+v, %v", u, err)
	}
}

func TestHaskellDeclared(t *testing.T) {
	q, symbol := onDisk(t, "Store.hs", source)
	all, err := declared(t.Context(), q, symbol("data ", "Order").Location.Path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range all {
		got = append(got, fmt.Sprintf("%s:%d %s", q.DisplayName(s), s.Location.Range.Start.Line, s.Kind))
	}
	text := strings.Join(got, "\n")
	for _, want := range []string{
		"Order:7 struct", "Order.Order:7 constructor", "Order.number:8 field", "Order.to:9 field", "Expr.Lit:19 constructor", "Shape:26 interface",
		"Shape.label:29 method", "Elem:33 type", "total:42 function", "<+>:48 function",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	for _, once := range []string{"total:", "<+>:", "\nElem:"} {
		if n := strings.Count(text, once); n != 1 {
			t.Errorf("%s is declared %d times in\n%s", once, n, text)
		}
	}
}

func TestHaskellNamed(t *testing.T) {
	for _, tt := range []struct {
		symbol lsp.DocumentSymbol
		want   string
	}{
		{lsp.DocumentSymbol{Name: "Store", Kind: lsp.KindFile}, ""},
		{lsp.DocumentSymbol{Name: "imports", Kind: lsp.KindModule}, ""},
		{lsp.DocumentSymbol{Name: "Shape a", Kind: lsp.KindInterface, Detail: "class"}, "Shape"},
		{lsp.DocumentSymbol{Name: "Shape Order", Kind: lsp.KindInterface}, "instance Shape Order"},
		{lsp.DocumentSymbol{Name: "Elem c", Kind: lsp.KindFunction, Detail: "type family"}, "Elem"},
		{lsp.DocumentSymbol{Name: "total", Kind: lsp.KindFunction}, "total"},
	} {
		if got, _ := named(tt.symbol); got != tt.want {
			t.Errorf("%s is %q, want %q", tt.symbol.Name, got, tt.want)
		}
	}
}

func TestHaskellWhole(t *testing.T) {
	for text, want := range map[string]int{
		"f :: T -> Int\nf (A x) = x\nf (§B y) = y\n":                           2,
		"g = 1\nf (§B y) = y\n":                                                2,
		"f e =\n  case e of\n    A -> 1\n    §B -> 2\n":                        2,
		"f e = case e of\n  A -> case x of\n    C -> 1\n    §D -> 2\n  B -> 2": 2,
	} {
		_, at := toolstest.Mark(t, "A.hs", text)
		if line := whole(at).Line(); line != want {
			t.Errorf("%q is part of line %d, want %d", text, line, want)
		}
	}
}
