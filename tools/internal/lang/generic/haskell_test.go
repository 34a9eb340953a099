package generic

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

const haskellSource = `module Store (Order (..), total) where

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
data (Ord a) => Tree a = Leaf | Node (Tree a) !a (Maybe Int) [Map.Map a]

class (Eq a) => Shape a where
  -- | Its size.
  area :: a -> Double
  name, label :: a -> String
  name _ = "shape"

instance Shape Order where
  area o = 1

total :: Map.Map String Double -> Order -> Double
total rates order = fromIntegral (number order)

make :: Int -> Maybe Order
make n = Just Order { number = n }

(<+>) :: Order -> Order -> Order
a <+> b = a
`

func TestHaskellConstructors(t *testing.T) {
	q, symbol := onDisk(t, "Store.hs", haskellSource)
	for _, tt := range []struct {
		before, name, kind string
		want               []string // shown / types of fields
	}{
		{"data ", "Order", "data", []string{
			"Order { number :: !Int , from, to :: Map.Map String (Maybe Int) , price :: Int -> (Double, Double) } / " +
				"Int & Map.Map String (Maybe Int) & Map.Map String (Maybe Int) & Int -> (Double, Double) record"}},
		{"data ", "State", "data", []string{"Indexing / ", "Ready / "}},
		{"data ", "Foo", "data", []string{"Bar { x :: Int, y :: String } / Int & String record", "Baz / "}},
		{"newtype ", "Wrap", "newtype", []string{"Wrap { unwrap :: a } / a record"}},
		{"(Ord a) => ", "Tree", "data", []string{"Leaf / ", "Node (Tree a) !a (Maybe Int) [Map.Map a] / (Tree a) & a & (Maybe Int) & [Map.Map a]"}},
	} {
		d, h, problem, err := haskell().asked(q, symbol(tt.before, tt.name))
		if err != nil || h.Kind != tt.kind || problem != "" {
			t.Errorf("%s: got %+v, %q, %v", tt.name, h, problem, err)
		}
		var got []string
		for _, c := range haskell().made(d) {
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

// What is not read is shown as it is written, and the answer is partial.
func TestHaskellIsNotRead(t *testing.T) {
	for text, name := range map[string]string{
		"data Expr a where\n  Lit :: Int -> Expr Int\n  deriving Show": "Expr", // a GADT
		"data Tree a = Leaf | Tree a :+: Int":                          "Tree", // an infix constructor
		"data Tree a = Leaf | Tree a `Plus` Int":                       "Tree",
		"data Some = forall a. Show a => Some a":                       "Some", // an existential type
		"data a :+: b = L a | R b":                                     "a",
		"type family Elem c :: Type":                                   "family",
		"type Name = Map.Map String Order":                             "Name",
		"data instance Elem Int = Lit Int":                             "instance",
		"data Odd = Odd { a, b }":                                      "Odd",
		"class (Eq a) => Shape a where\n  area :: a -> Double":         "Shape",
	} {
		q, symbol := onDisk(t, "A.hs", text+"\n\nf = 1\n")
		out, fields := shown(t, haskell(), q, symbol("", name))
		want := name + " is not read, but shown as it is written: " + strings.Join(strings.Fields(text), " ")
		if out.Problem != want || len(fields) > 0 || out.IsRecord {
			t.Errorf("got %q %v", out.Problem, fields)
		}
		if c := q.Doubted(lsp.Completeness{State: lsp.Complete}); c.State != lsp.Partial || c.Reason != "the declaration of "+name+" is not read" {
			t.Errorf("got %+v", c)
		}
	}
}

func TestHaskellFields(t *testing.T) {
	q, symbol := onDisk(t, "Store.hs", haskellSource)
	for _, tt := range []struct {
		before, name string
		want         []string
		problem      string
	}{
		{"data ", "Order", []string{
			"8 number Int strict", "9 from Map.Map String (Maybe Int)", "9 to Map.Map String (Maybe Int)", "10 price Int -> (Double, Double)"}, ""},
		{"data ", "Foo", []string{"14 x Int", "14 y String"}, "Foo has 2 constructors; show_constructors tells which has which fields"},
		{"data ", "State", nil, "State is no record; show_constructors lists its 2 constructors"},
	} {
		out, got := shown(t, haskell(), q, symbol(tt.before, tt.name))
		if diff := cmp.Diff(tt.want, got); diff != "" || out.Problem != tt.problem {
			t.Errorf("%s: %q %s", tt.name, out.Problem, diff)
		}
	}
}

func TestHaskellUse(t *testing.T) {
	checkUses(t, haskell(), "A.hs", map[string]string{
		"f x = §total x":                                "call",
		"f = §total\ng = 1":                             "value",
		"f = map §total xs":                             "value",
		"f xs = (map §total xs)":                        "value",
		"f xs = foldr (+) §total xs":                    "value",
		"f x = x `§total` y":                            "call",
		"f x = Store.§total x":                          "call",
		"f x = §total $ x":                              "call",
		"f x = x <> §total x":                           "call",
		"f x = do\n  y <- §total x\n  g":                "call",
		"f x = [§total y | y <- x]":                     "call",
		"f x = Order { number = §total x }":             "call",
		"import Store (§total)":                         "import",
		"module Store (§total) where":                   "export",
		"§total :: Int":                                 "declaration",
		"§total, g :: Int":                              "declaration",
		"§total x = 1":                                  "declaration",
		"§total x\n  | x > 1 = 1":                       "declaration",
		"f :: Int -> §Order":                            "type",
		"f\n  :: Int\n  -> Map.Map Int §Order":          "type",
		"f ::\n  forall m.\n  (Monad m) =>\n  m §Order": "type",
		"data T = A §Order":                             "type",
		"data T = §Order Int":                           "declaration",
		"data T = A | §Order Int":                       "declaration",
		"data Order = Order { §number :: Int }":         "declaration",
		"data Order = Order { a, §b :: Int }":           "declaration",
		"data Order = Order { a :: [§Int] }":            "type",
		"class Shape a => §Solid a where":               "declaration",
		"instance §Shape Order where":                   "implements",
		"instance Eq a => §Shape (Wrap a) where":        "implements",
		"instance Shape Order where\n  a x = §total x":  "call",
		"type §Name = String":                           "declaration",
		"f n = §Map.insert n":                           "qualifier",
		"-- §total":                                     "",
	})
}

// What the shape of the code leaves open is unknown.
func TestHaskellUseIsUnknown(t *testing.T) {
	unknown := make(map[string]string)
	for _, text := range []string{
		"f = do\n  g x\n  §total x",                                  // a statement, or arguments of g
		"f = g\n  §total",                                            // an argument of g, or of nothing
		"f = §total\n    x",                                          // x may begin another line
		"f = §total.g",                                               // composed, or a field
		"f e = case e of\n  Lit n -> n\n  §Add a b -> a",             // an alternative, or arguments of n
		"f e = case e of\n  A -> g (§Lit n) n",                       // the parenthesis may be of a pattern
		"f = \\(§Lit n) -> n",                                        //
		"f xs = [n | §Lit n <- xs]",                                  //
		"f = do\n  §Lit n <- g\n  h",                                 //
		"f = let §Lit n = g in n",                                    //
		"f x = g { §number = 1 }",                                    //
		"f x = g where\n  h :: Int\n  h §Order = 1",                  // no type, although a signature stands above
		"f x = g where\n  h ::\n    forall m.\n    m ->\n    §Order", // the same without the first line but one
		"f x = g where\n  h :: Vec (n + §M)",                         // an operator of types
		"f = foldr (§<+>) x",                                         //
		"f = T.total @§Order x",                                      //
		"data T = A Int deriving (§Show)",                            //
		"data T where\n  Lit :: { §field :: Int } -> T",              //
		"data T = forall a. §Show a => T a",                          //
		"deriving instance §Show T",                                  //
		"type family §Elem c",                                        //
		"type instance §Elem [e] = e",                                //
		"instance forall a. §Shape (Wrap a) where",                   //
		"infixl 6 §<+>",                                              //
		"pattern §P a = Just a",                                      //
		"f e = case e of §Lit n -> n",                                //
		"f n = §Lit n",                                               //
		"(§<+>) :: Int",                                              //
		"f n = Just $ §Lit n",                                        //
		"f x = (x :: Map.Map Int §Order)",                            //
		"class Shape a where\n  area :: §Double",                     //
		"f e = case e of\n  §Lit n -> n",                             //
		"f (view -> §Lit n) = n",                                     //
		"f x = g $ case x of A -> §Lit n",                            //
		"f (§Lit n) = n",                                             //
		"f = a §<+> b",                                               //
		"f x = (x :: §Order)",                                        //
		"class §Shape a => Solid a where",                            //
		"f (§Lit n)\n  | n > 1 = n",                                  //
		"instance Shape §Order where\n  a x = 1",                     //
		"type Name = §String",                                        //
		"f = §Lit . g",                                               //
	} {
		unknown[text] = query.Unknown
	}
	checkUses(t, haskell(), "A.hs", unknown)
}

func TestHaskellNameAt(t *testing.T) {
	q, symbol := onDisk(t, "A.hs", "data T = A | B{x::Int}\nf(A)=g(A)\n(<+>) a b = a\nh = 1 `g` 2\n")
	for _, tt := range []struct{ before, at, want string }{
		{"data ", "T", "T"}, {"= ", "A", "A"}, {"f(", "A", "A"}, {"g(", "A", "A"}, {"B{", "x", "x"}, {"\n", "f", "f"}, {"\n", "(<+>)", "<+>"}, {"1 ", "`g`", "g"},
	} {
		at, err := haskell().at(q, symbol(tt.before, tt.at).Location)
		if got := at.Text(); got != tt.want || err != nil {
			t.Errorf("%s%s: got %q, %v; want %q", tt.before, tt.at, got, err, tt.want)
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
		if got, _ := instanceNamed(tt.symbol); got != tt.want {
			t.Errorf("%s is %q, want %q", tt.symbol.Name, got, tt.want)
		}
	}
}
