package shard

import (
	"encoding/binary"
	"slices"
	"testing"
)

// written is a shard as clangd writes it where it has no zlib.
func written(strings string, nodes []byte) []byte {
	chunk := func(name, content string) string {
		size := binary.LittleEndian.AppendUint32(nil, uint32(len(content)))
		if len(content)%2 == 1 {
			content += "\x00"
		}
		return name + string(size) + content
	}
	body := "CdIx" + chunk("meta", "\x11\x00\x00\x00") + chunk("stri", "\x00\x00\x00\x00"+strings) + chunk("symb", "") + chunk("srcs", string(nodes))
	return []byte(chunk("RIFF", body))
}

func TestSources(t *testing.T) {
	strings := "\x00file:///p/a.c\x00file:///p/a%20b.h\x00"
	nodes := []byte("\x01\x0112345678\x01\x02")
	data := written(strings, nodes)
	got, err := Sources(data)
	if want := []string{"/p/a.c", "/p/a b.h"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("sources are %q, %v; want %q", got, err, want)
	}
	for n := range data { // whatever is cut off or broken is an error at worst
		Sources(data[:n])
		broken := slices.Clone(data)
		broken[n] ^= 0xff
		Sources(broken)
	}
	for _, nodes := range []string{"\x01\x0912345678\x00", "\x01\x01123", "\x01\x0112345678\xff\xff\xff\xff\x0f\x02"} {
		if got, err := Sources(written(strings, []byte(nodes))); err == nil {
			t.Errorf("of %q: %q", nodes, got)
		}
	}
}
