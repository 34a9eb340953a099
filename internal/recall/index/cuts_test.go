package index

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tidepool/internal/recall/memory"
)

// Whatever is added, changed and removed between prompts: an index that keeps cut texts ranks as one that keeps none.
func TestKeptTextsDoNotChangeRanks(t *testing.T) {
	words := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("drain order queue worker channel stop pump crane quay gate_way.go parseHeader Ann: retry")), 1, 12)
	rapid.Check(t, func(t *rapid.T) {
		keeping, other := New(), New()
		keeping.cuts.most, other.cuts.most = rapid.SampledFrom([]int{1000, maxCuts}).Draw(t, "bytes"), 0
		all := map[uint32]memory.Memory{}
		read := func(numbers []uint32) (found []memory.Memory, err error) {
			for _, n := range numbers {
				if m, ok := all[n]; ok {
					found = append(found, m)
				}
			}
			return found, nil
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			n := uint32(rapid.IntRange(1, 12).Draw(t, "n"))
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				delete(all, n)
				keeping.Delete(n)
				other.Delete(n)
			case 1:
				m := memory.Memory{N: n, Content: strings.Join(words.Draw(t, "text"), " "), Session: fmt.Sprint(n % 3), Alpha: 1, Beta: 1}
				all[n] = m
				keeping.Put(DocOf(&m))
				other.Put(DocOf(&m))
			default:
				q := Query{Text: strings.Join(words.Draw(t, "prompt"), " "), Read: read}
				got, err := keeping.Rank(q)
				if err != nil {
					t.Fatal(err)
				}
				want, err := other.Rank(q)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%+v\nand not\n%+v", got, want)
				}
				if size := keeping.cuts.bytes(); size < 0 || size > keeping.cuts.most || keeping.cuts.count() != size {
					t.Fatalf("%d bytes are kept, and %d counted", keeping.cuts.count(), size)
				}
			}
		}
	})
}

// count returns the bytes that are kept, counted anew.
func (c *cuts) count() (size int) {
	for _, of := range []map[uint32]kept{c.young, c.old} {
		for _, k := range of {
			size += k.cut.Bytes() + perKept
		}
	}
	return size
}

// What is in use stays, and what is not makes room.
func TestKeptTextsAreBounded(t *testing.T) {
	x := New()
	x.cuts.most = 20_000
	reads := 0
	read := func(numbers []uint32) (found []memory.Memory, err error) {
		for _, n := range numbers {
			reads++
			found = append(found, memory.Memory{N: n, Content: fmt.Sprintf("pump%d of the quay", n), Alpha: 1, Beta: 1})
		}
		return found, nil
	}
	for n := range uint32(500) {
		m := memory.Memory{N: n, Content: fmt.Sprintf("pump%d of the quay", n), Alpha: 1, Beta: 1}
		x.Put(DocOf(&m))
	}
	for n := range 500 {
		for _, text := range []string{fmt.Sprintf("pump%d", n), "pump7"} {
			if _, err := x.Rank(Query{Text: text, Limit: 1, Read: read}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if size := x.cuts.bytes(); size > 20_000 || size < 5_000 {
		t.Errorf("%d bytes are kept", size)
	}
	if reads > 500 {
		t.Errorf("500 memories were read %d times", reads)
	}
}
