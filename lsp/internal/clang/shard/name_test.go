package shard

import "testing"

// The shards that clangd 14 made of two files, and by which hash later versions name them.
func TestNaming(t *testing.T) {
	hash := Namings()[0]
	for path, want := range map[string]string{
		"/tmp/shard/x.c": "x.c.9130990B329C9967.idx",
		"/tmp/shard/.tidepool/clangd/sources/tidepool-blank.c": "tidepool-blank.c.9773D4968690174B.idx",
	} {
		if got := hash.Of(path); got != want {
			t.Errorf("of %s: %s, want %s", path, got, want)
		}
	}
	if got, want := Namings()[1].Of(""), "..C294D3380580062D.idx"; got != want { // XXH3 of nothing is 2D06800538D394C2
		t.Errorf("%s, want %s", got, want)
	}
}
