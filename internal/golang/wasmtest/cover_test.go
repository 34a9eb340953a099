package wasmtest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// coverageOf builds the module in testdata and runs one test of it: the files of coverage data that it leaves, by name.
func coverageOf(t *testing.T, test string) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	module, binary := filepath.Join(dir, "sea"), filepath.Join(dir, "test.wasm")
	if err := os.CopyFS(module, os.DirFS("testdata/sea")); err != nil {
		t.Fatal(err)
	}
	golang, err := findGo(t.Context(), module, dir, new(Runner))
	if err != nil {
		t.Fatal(err)
	}
	if err := golang.build(t.Context(), "example.com/sea", binary); err != nil {
		t.Fatal(err)
	}
	s, err := newSandbox(t.Context(), order{Binary: binary, Module: module, Dir: module, Few: true, Memory: 64 << 20, Files: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	r, again := s.test(t.Context(), test, nil)
	if err := errors.Join(r.err, s.close(t.Context())); err != nil || again {
		t.Fatal(err, again)
	}
	files := map[string][]byte{}
	for name, file := range r.cover.root.children {
		files[name] = file.data
	}
	return files
}

// find is the file whose name begins so.
func find(t *testing.T, files map[string][]byte, prefix string) []byte {
	t.Helper()
	for name, data := range files {
		if strings.HasPrefix(name, prefix) {
			return data
		}
	}
	t.Fatalf("no %s among %v", prefix, slices.Collect(maps.Keys(files)))
	return nil
}

// Go's own program reads the same from a real run.
func TestDecodeAsGoDoes(t *testing.T) {
	files := coverageOf(t, "TestFish")
	meta, err := decodeMeta(find(t, files, "covmeta."))
	if err != nil {
		t.Fatal(err)
	}
	counted, err := decodeCounters(find(t, files, "covcounters."), meta.hash)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("go", "tool", "covdata", "func", "-i="+dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{} // whether it ran
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] != "total" {
			want[path.Base(fields[0])+fields[1]] = fields[2] != "0.0%"
		}
	}
	got := map[string]bool{}
	for i, functions := range meta.packages {
		for j, f := range functions {
			if strings.HasPrefix(f.Name, "func.") {
				continue // it does not tell of literals
			}
			at := coverIndex{uint32(i), uint32(j)}
			got[fmt.Sprintf("%s:%d:%s", f.File, f.Line, f.Name)] = slices.Contains(counted, at)
		}
	}
	if !maps.Equal(got, want) || len(want) < 8 {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// What is not of this format, or of a later version, is an error.
func TestDecodeRefuses(t *testing.T) {
	meta, counters := sample(t)
	decoded, err := decodeMeta(meta)
	if err != nil {
		t.Fatal(err)
	}
	if ran, err := decodeCounters(counters, decoded.hash); err != nil || len(ran) == 0 {
		t.Fatalf("%v, %v", ran, err)
	}
	for offset, what := range map[int]string{0: "magic", 4: "version"} {
		for name, data := range map[string][]byte{"meta": slices.Clone(meta), "counters": slices.Clone(counters)} {
			data[offset]++
			_, inMeta := decodeMeta(data)
			_, inCounters := decodeCounters(data, decoded.hash)
			if inMeta == nil || inCounters == nil {
				t.Errorf("%s with another %s: %v, %v", name, what, inMeta, inCounters)
			}
		}
	}
	if _, err := decodeCounters(counters, coverHash{}); err == nil {
		t.Error("counters of another binary")
	}
	for cut := range counters {
		if _, err := decodeCounters(counters[:cut], decoded.hash); err == nil {
			t.Errorf("%d of %d bytes of counters", cut, len(counters))
		}
	}
	for cut := range meta {
		if _, err := decodeMeta(meta[:cut]); err == nil {
			t.Errorf("%d of %d bytes of a description", cut, len(meta))
		}
	}
}

// sample are files that a test of the module in testdata has left.
func sample(t testing.TB) (meta, counters []byte) {
	t.Helper()
	meta, err := os.ReadFile("testdata/cover/covmeta")
	if err != nil {
		t.Fatal(err)
	}
	counters, err = os.ReadFile("testdata/cover/covcounters")
	if err != nil {
		t.Fatal(err)
	}
	return meta, counters
}

// Numbers may be written in three ways.
func TestDecodeRaw(t *testing.T) {
	var hash coverHash
	for name, order := range map[byte]binary.AppendByteOrder{0: binary.LittleEndian, 1: binary.BigEndian} {
		data := slices.Concat([]byte(counterMagic), []byte{formatVersion, 0, 0, 0}, hash[:], []byte{countersRaw, name, 0, 0, 0, 0, 0, 0})
		data = append(data, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 'x', 0, 0, 0) // two functions, a table of one byte, padded
		for _, n := range []uint32{1, 7, 8, 1, 2, 9, 10, 0, 0} {
			data = order.AppendUint32(data, n)
		}
		data = append(data, counterMagic+"\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00"...)
		if ran, err := decodeCounters(data, hash); err != nil || !slices.Equal(ran, []coverIndex{{7, 8}}) {
			t.Errorf("byte order %d: %v, %v", name, ran, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	meta, counters := sample(f)
	f.Add(meta, counters)
	f.Fuzz(func(t *testing.T, meta, counters []byte) {
		var hash coverHash
		if m, err := decodeMeta(meta); err == nil {
			hash = m.hash
			functions := 0
			for _, p := range m.packages {
				functions += len(p)
			}
			if functions > len(meta) {
				t.Errorf("%d functions in %d bytes", functions, len(meta))
			}
		}
		if ran, err := decodeCounters(counters, hash); err == nil && len(ran) > len(counters) {
			t.Errorf("%d functions in %d bytes", len(ran), len(counters))
		}
	})
}
