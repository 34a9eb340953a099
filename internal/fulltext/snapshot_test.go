package fulltext

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"strings"
	"testing"
)

// saved returns the snapshot of an index of two segments, in each a dead document.
func saved(t testing.TB) []byte {
	t.Helper()
	x := New(weights())
	for id := range uint32(24) {
		x.Put(id, []string{"retry", "parseHeader in gateway/parser.go", strings.Repeat("jitter ", int(id%3))})
		if id == 11 {
			lock(x, x.freeze)
		}
	}
	x.Delete(3)
	x.Put(4, nil)
	x.Delete(18)
	var w bytes.Buffer
	if err := x.Snapshot(&w); err != nil {
		t.Fatal(err)
	}
	if len(x.segments) != 2 || x.segments[0].deaths != 2 {
		t.Fatalf("%d segments, %d dead", len(x.segments), x.segments[0].deaths)
	}
	return w.Bytes()
}

func TestLoadRefusesWhatIsNoSnapshot(t *testing.T) {
	good := saved(t)
	if _, err := Load(bytes.NewReader(good), weights()); err != nil {
		t.Fatal(err)
	}
	refused := func(what string, data []byte, w Weights) {
		t.Helper()
		x, err := Load(bytes.NewReader(data), w)
		var snapshot *SnapshotError
		if x != nil || !errors.As(err, &snapshot) || snapshot.Hint() == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	for i := range good {
		refused("torn", good[:i], weights())
		flipped := bytes.Clone(good)
		flipped[i] ^= 0x10
		refused("flipped", flipped, weights())
	}
	refused("other fields", good, Weights{Weight: []float64{1}, Length: []float64{1}, K1: 1})
	refused("a database", []byte("SQLite format 3\x00"), weights())
}

func TestLoadSaysWhy(t *testing.T) {
	good := saved(t)
	for offset, want := range map[int]string{
		len(magic):      "version",
		len(magic) + 4:  "words",
		len(magic) + 8:  "fields",
		len(magic) + 14: "segments",
	} {
		data := bytes.Clone(good)
		data[offset]++
		if _, err := Load(bytes.NewReader(data), weights()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name the %s", err, want)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestSnapshotReturnsTheWritersError(t *testing.T) {
	x := New(weights())
	x.Put(1, []string{"retry"})
	if err := x.Snapshot(failing{}); err == nil || x.Docs() != 1 {
		t.Errorf("%v, %d documents", err, x.Docs())
	}
}

// A snapshot with the right checksum and any content is refused, or is an index that can be searched, changed and saved.
func FuzzLoad(f *testing.F) {
	good := saved(f)
	f.Add(good[len(magic) : len(good)-4])
	f.Fuzz(func(t *testing.T, content []byte) {
		data := append([]byte(magic), content...)
		data = binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli()))
		x, err := Load(bytes.NewReader(data), weights())
		if err != nil {
			return
		}
		x.Search(Query{Text: "retry parser jitter gateway a"})
		x.Delete(4)
		x.Put(5, []string{"retry"})
		if r := x.Search(Query{Text: "retry", Keep: func(id uint32) bool { return id == 5 }}); r.Matches != 1 {
			t.Fatalf("%d matches", r.Matches)
		}
		lock(x, func() { x.replace(x.segments) })
		if err := x.Snapshot(new(bytes.Buffer)); err != nil {
			t.Fatal(err)
		}
	})
}
