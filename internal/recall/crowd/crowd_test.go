package crowd

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the driver

	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
)

const (
	writers = 8
	readers = 4
	kills   = 48
	between = 12 // memories that are acknowledged between two kills
)

// The test program is also each process of the crowd.
func TestMain(m *testing.M) {
	if role := os.Getenv("CROWD_TEST_ROLE"); role != "" {
		fmt.Fprintln(os.Stderr, role, join(role, os.Getenv("CROWD_TEST_NAME"), os.Getenv("CROWD_TEST_DIR")))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// join remembers or reads until it is killed. It returns the first error.
func join(role, name, dir string) error {
	ctx := context.Background()
	s, err := recall.Open(ctx, recall.Options{Dir: dir, Project: memory.Project{Key: "00000000000000" + name[1:3], Name: name, Path: "/" + name}})
	if err != nil {
		return err
	}
	defer s.Close(ctx)
	for i := 0; ; i++ {
		if role == "writer" {
			err = write(ctx, s, name, i)
		} else {
			err = read(ctx, s)
		}
		if err != nil {
			return err
		}
	}
}

// write keeps one memory, and prints its name when that was acknowledged: by a save, or by a flush of what was learned.
func write(ctx context.Context, s *recall.Store, name string, i int) error {
	id := fmt.Sprintf("%sn%d", name, i)
	d := memory.Draft{Kind: memory.Note, Content: note(id), Session: name, Turn: i, Source: "test"}
	if i%4 == 3 {
		s.Learn(d)
		if err := s.Flush(ctx); err != nil {
			return err
		}
	} else if _, err := s.Save(ctx, d); err != nil {
		return err
	}
	if i%8 == 7 { // what others index changes, too
		if found, err := s.Recall(ctx, recall.Query{Text: id}); err != nil {
			return err
		} else if len(found.Memories) > 0 {
			if _, err := s.Feedback(ctx, found.Memories[0].ID, true, ""); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Println(id)
	return err
}

// note returns a text that no other is like, with a sum that says whether it is whole.
func note(id string) string {
	random := rand.New(rand.NewPCG(uint64(crc32.ChecksumIEEE([]byte(id))), 1))
	words := []string{id}
	for range 8 {
		words = append(words, fmt.Sprintf("w%x", random.Uint32()))
	}
	text := strings.Join(words, " ")
	return fmt.Sprintf("%s sum%08x", text, crc32.ChecksumIEEE([]byte(text)))
}

// check returns the name of a memory, or an error if it is not whole.
func check(content string) (string, error) {
	id, _, _ := strings.Cut(content, " ")
	if note(id) != content {
		return "", fmt.Errorf("half a memory: %q", content)
	}
	return id, nil
}

// read reads the newest memory, and looks for it by its words.
func read(ctx context.Context, s *recall.Store) error {
	newest, err := s.List(ctx, recall.ListQuery{Limit: 3})
	if err != nil || len(newest) == 0 {
		return err
	}
	id, err := check(newest[len(newest)-1].Content)
	if err != nil {
		return err
	}
	found, err := s.Recall(ctx, recall.Query{Text: id})
	switch {
	case err != nil:
		return err
	case !found.Complete:
		return nil // the index is being built
	case len(found.Memories) == 0:
		return fmt.Errorf("%s is not found, in an answer that is complete", id)
	}
	_, err = check(found.Memories[0].Content)
	return err
}

// A crowd is processes that share a database. Goroutines: one for each process, which reads what it prints and waits for its end.
type crowd struct {
	t    *testing.T
	dir  string
	acks chan string // names of memories
	wait sync.WaitGroup
}

// A process is one of a crowd. Two generations of it never run at once.
type process struct {
	role       string
	number     int
	generation int
	cmd        *exec.Cmd
	ended      chan struct{}
}

// start starts a process, or its next generation.
func (c *crowd) start(p *process) {
	c.t.Helper()
	p.generation++
	p.cmd, p.ended = exec.Command(os.Args[0]), make(chan struct{})
	p.cmd.Env = append(os.Environ(), "CROWD_TEST_ROLE="+p.role, fmt.Sprintf("CROWD_TEST_NAME=p%02dg%d", p.number, p.generation), "CROWD_TEST_DIR="+c.dir)
	var errors strings.Builder
	p.cmd.Stderr = &errors
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		c.t.Fatal(err)
	}
	cmd, ended := p.cmd, p.ended
	c.wait.Go(func() {
		defer close(ended)
		for lines := bufio.NewReader(out); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				break // the last line may be half of one
			}
			c.acks <- strings.TrimSpace(line)
		}
		_ = cmd.Wait() // it was killed
		if errors.Len() > 0 {
			c.t.Errorf("%s", errors.String())
		}
	})
}

func (p *process) kill(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
}

// Twelve processes share a database, and any of them is killed at any moment: what was acknowledged stays, whole, and nobody meets an error.
func TestKilledProcesses(t *testing.T) {
	c := &crowd{t: t, dir: filepath.Join(t.TempDir(), "data"), acks: make(chan string, 1024)}
	var all []*process
	for i := range writers + readers {
		p := &process{role: "writer", number: i}
		if i >= writers {
			p.role = "reader"
		}
		c.start(p)
		all = append(all, p)
	}
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	acknowledged := map[string]bool{}
	for killed := 0; killed < kills && !t.Failed(); {
		select {
		case id := <-c.acks:
			acknowledged[id] = true
		case <-time.After(time.Minute):
			t.Fatal("nobody remembers anything")
		}
		if len(acknowledged) < (killed+1)*between {
			continue
		}
		p := all[random.IntN(len(all))]
		p.kill(t)
		killed++
		for ended := false; !ended; {
			select {
			case id := <-c.acks:
				acknowledged[id] = true
			case <-p.ended:
				ended = true
			}
		}
		c.start(p)
	}
	for _, p := range all {
		p.kill(t)
	}
	go func() {
		c.wait.Wait()
		close(c.acks)
	}()
	for id := range c.acks {
		acknowledged[id] = true
	}
	c.verify(acknowledged)
}

// verify looks for what was acknowledged, in the database and by its words.
func (c *crowd) verify(acknowledged map[string]bool) {
	c.t.Helper()
	ctx := c.t.Context()
	s, err := recall.Open(ctx, recall.Options{Dir: c.dir, Project: memory.Project{Key: "ffffffffffffffff", Name: "last", Path: "/last"}})
	if err != nil {
		c.t.Fatal(err)
	}
	defer s.Close(ctx)
	kept := map[string]bool{}
	memories, err := s.List(ctx, recall.ListQuery{Limit: len(acknowledged) * 2})
	if err != nil {
		c.t.Fatal(err)
	}
	for _, m := range memories {
		id, err := check(m.Content)
		if err != nil || kept[id] {
			c.t.Errorf("%s: %v, twice: %v", id, err, kept[id])
		}
		kept[id] = true
	}
	c.t.Logf("%d memories, %d of them acknowledged", len(kept), len(acknowledged))
	for id := range acknowledged {
		if !kept[id] {
			c.t.Errorf("%s was acknowledged and is lost", id)
			continue
		}
		found, err := s.Recall(ctx, recall.Query{Text: id})
		if err != nil || !found.Complete || len(found.Memories) == 0 {
			c.t.Errorf("%s is not found: %+v, %v", id, found, err)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(c.dir, "memory.db"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer db.Close()
	var healthy string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&healthy); err != nil || healthy != "ok" {
		c.t.Error(healthy, err)
	}
}
