package fulltext

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// benchWeights are those of four fields, as conversations have: a question, prose, code, files and commands.
func benchWeights() Weights {
	return Weights{Weight: []float64{3, 2, 0.5, 2}, Length: []float64{0.4, 0.75, 0.75, 0.3}, K1: 1.5}
}

// A corpus makes documents of about 120 words from pieces of Go's own sources, which are English and code: comments as question and
// prose, code, the file's path and a hash that no other document has.
type corpus struct {
	random *rand.Rand
	paths  []string
	texts  []string
}

func newCorpus(t testing.TB) *corpus {
	c := &corpus{random: rand.New(rand.NewPCG(1, 2))}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if len(text) > 3000 {
			c.paths, c.texts = append(c.paths, path[len(root):]), append(c.texts, string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *corpus) document() []string {
	i := c.random.IntN(len(c.texts))
	piece := c.piece(c.texts[i], 1400)
	var prose, code strings.Builder
	for line := range strings.Lines(piece) {
		if comment, ok := strings.CutPrefix(strings.TrimSpace(line), "//"); ok {
			prose.WriteString(comment)
		} else if code.Len() < 350 {
			code.WriteString(line)
		}
	}
	question := c.comment(120)
	return []string{question, prose.String() + c.comment(300), code.String(), c.paths[i] + fmt.Sprintf(" git show %08x", c.random.Uint32())}
}

func (c *corpus) piece(text string, size int) string {
	start := c.random.IntN(max(1, len(text)-size))
	return text[start:min(len(text), start+size)]
}

// comment returns some comment's text.
func (c *corpus) comment(size int) string {
	for {
		text := c.texts[c.random.IntN(len(c.texts))]
		at := strings.Index(text[c.random.IntN(len(text)):], "\n// ")
		if at < 0 {
			continue
		}
		piece := strings.ReplaceAll(c.piece(text[at:], size), "\n//", " ")
		return piece
	}
}

// query returns a few words of a document, as a person would remember them.
func (c *corpus) query() string {
	words := strings.Fields(c.comment(200))
	n := min(len(words), 2+c.random.IntN(4))
	start := c.random.IntN(len(words) - n + 1)
	return strings.Join(words[start:][:n], " ")
}

// BenchmarkSize says what 10,000 and 200,000 documents of about 140 words take to build, to keep, to load and to search. Times are of
// the processor, all threads together.
func BenchmarkSize(b *testing.B) {
	for _, size := range []int{10_000, 200_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			for b.Loop() {
				measure(b, size)
			}
		})
	}
}

func measure(b *testing.B, size int) {
	c := newCorpus(b)
	heap := heapInUse()
	x := New(benchWeights())
	var putting time.Duration
	text := 0
	for id := range size {
		d := c.document()
		for _, field := range d {
			text += len(field)
		}
		start := cpu()
		x.Put(uint32(id), d)
		putting += cpu() - start
	}
	b.ReportMetric(float64(text)/float64(size), "text-B/doc")
	b.ReportMetric(float64(putting.Microseconds())/float64(size), "put-µs/doc")
	b.ReportMetric(float64(x.Bytes())/1e6, "said-MB")
	b.ReportMetric(float64(heapInUse()-heap)/1e6, "heap-MB")
	b.ReportMetric(float64(x.lengthOfAll())/float64(size), "words/doc")
	measureQueries(b, c, x)
	var saved bytes.Buffer
	if err := x.Snapshot(&saved); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(saved.Len())/1e6, "snapshot-MB")
	start := cpu()
	if _, err := Load(&saved, benchWeights()); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64((cpu() - start).Milliseconds()), "load-ms")
}

func measureQueries(b *testing.B, c *corpus, x *Index) {
	var times []time.Duration
	for range 1000 {
		q := Query{Text: c.query()}
		start := cpu()
		x.Search(q)
		times = append(times, cpu()-start)
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[500].Microseconds()), "query-p50-µs")
	b.ReportMetric(float64(times[990].Microseconds()), "query-p99-µs")
}

func (x *Index) lengthOfAll() (sum uint64) {
	for _, n := range x.lengths {
		sum += n
	}
	return sum
}

func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// cpu returns the time that processors have worked for this process.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkSearch asks 500 queries of two to five words of 40,000 documents.
func BenchmarkSearch(b *testing.B) {
	c := newCorpus(b)
	x := New(benchWeights())
	for id := range uint32(40_000) {
		x.Put(id, c.document())
	}
	var queries []string
	for range 500 {
		queries = append(queries, c.query())
	}
	least := time.Hour // of a round: what else the machine does makes it longer, even for the processor
	for b.Loop() {
		start := cpu()
		for _, q := range queries {
			x.Search(Query{Text: q})
		}
		least = min(least, cpu()-start)
	}
	b.ReportMetric(float64(least.Nanoseconds())/float64(len(queries)), "cpu-ns/query")
}

// BenchmarkLoad loads the snapshot of 40,000 documents.
func BenchmarkLoad(b *testing.B) {
	c := newCorpus(b)
	x := New(benchWeights())
	for id := range uint32(40_000) {
		x.Put(id, c.document())
	}
	var saved bytes.Buffer
	if err := x.Snapshot(&saved); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(saved.Len()))
	for b.Loop() {
		if _, err := Load(bytes.NewReader(saved.Bytes()), benchWeights()); err != nil {
			b.Fatal(err)
		}
	}
}
