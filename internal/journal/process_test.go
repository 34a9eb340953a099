package journal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/scrub"
)

// TestMain runs as another daemon if the environment says which database it opens.
func TestMain(m *testing.M) {
	if path := os.Getenv("JOURNAL_TEST_DATABASE"); path != "" {
		if err := daemon(path, os.Args[1], os.Args[2]); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// daemon starts an entry for a session, says so, and waits to be killed; or it adopts an entry in the future, and says how that ended.
func daemon(path, session, adopt string) error {
	db, err := store.Open(context.Background(), path)
	if err != nil {
		return err
	}
	scrubber, err := scrub.New(scrub.Options{})
	if err != nil {
		return err
	}
	save := func(context.Context, memory.Draft) (string, error) { return "", errors.New("not here") }
	j := New(db, Options{Project: shop(), Scrub: scrubber, Save: save, Now: func() time.Time { return time.Now().Add(3 * time.Hour) }})
	if adopt != "" {
		_, err := j.Adopt(context.Background(), conversation(session), adopt)
		fmt.Println(session, err)
		return errors.Join(j.Close(context.Background()), db.Close())
	}
	j.options.Now = time.Now
	e, err := j.Start(context.Background(), conversation(session), race())
	if err != nil {
		return err
	}
	fmt.Println(e.ID)
	select {}
}

func process(t testing.TB, path string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), "JOURNAL_TEST_DATABASE="+path, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	return cmd
}

// A daemon is killed while an entry is active. Four others adopt the entry at once: one of them has it, the others read who.
func TestEntryOfAKilledDaemonIsAdoptedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	killed := process(t, path, "old", "")
	out, err := killed.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_ = killed.Process.Kill()
	_ = killed.Wait() // it was killed
	id := strings.TrimSpace(line)
	if err != nil || !strings.HasPrefix(id, "ghap_") {
		t.Fatalf("%q, %v", line, err)
	}
	results := make(chan string, 4)
	for i := range cap(results) {
		go func() {
			out, err := process(t, path, fmt.Sprint("new", i), id).Output()
			results <- strings.TrimSpace(fmt.Sprintf("%s%s", out, map[bool]string{true: "", false: fmt.Sprint(err)}[err == nil]))
		}()
	}
	winner, losers := "", []string{}
	for range cap(results) {
		if got := <-results; strings.HasSuffix(got, " <nil>") {
			winner += strings.TrimSuffix(got, " <nil>")
		} else {
			losers = append(losers, got)
		}
	}
	for _, lost := range losers {
		if !strings.HasSuffix(lost, "GHAP "+id+" belongs to session "+winner+", which is at work") {
			t.Errorf("%q adopted it, and another one reads %q", winner, lost)
		}
	}
	if len(winner) != len("new0") || len(losers) != 3 {
		t.Errorf("%q adopted it, %q did not", winner, losers)
	}
}
