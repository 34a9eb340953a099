package query

import "testing"

func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{
		"F": "F", "(*T).M": "T.M", "(*T[K, V]).M": "T.M", "( * T ).M": "T.M", "pkg/path.T.M": "pkg/path.T.M",
		"ns::T::m": "ns.T.m", "ns::vector<int, A<b>>::push": "ns.vector.push", "::T": "T", "~T": "~T", "ns::T::~T": "ns.T.~T",
		"T#m": "T.m", "User.#secret": "User.#secret", "#secret": "#secret", "<T as X>::m": "m", "m()": "m", "Array<T>.map": "Array.map",
		"T::operator<": "T.operator<", "T::operator ()": "T.operator()", "operator==": "operator==", "T.operators": "T.operators",
		"<$>": "<$>", "(>>=)": ">>=", "foldl'": "foldl'", "Data.Map.insert": "Data.Map.insert", "$": "$", "_": "_", "größe": "größe",
	} {
		if got := PlainName(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
