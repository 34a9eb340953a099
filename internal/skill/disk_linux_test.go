package skill

import (
	"bytes"
	"os"
	"testing"

	"tidepool/internal/mounttest"
)

// TestFullDisk: a document that cannot be written is not there, or as it was before.
func TestFullDisk(t *testing.T) {
	if !mounttest.Allowed(t) {
		return
	}
	f := newFixture(t)
	mounttest.Mount(t, "tmpfs", f.project, "tmpfs", 0, "size=64k,mode=700")
	f.must(f.store.Create(Skill, Project, "review", review))
	if err := os.WriteFile(f.project+"/ballast", make([]byte, 1<<20), 0o600); err == nil {
		t.Fatal("the disk does not get full")
	}
	all, _ := f.list(Skill)
	large := review + string(bytes.Repeat([]byte("x"), 20_000))
	if err := f.store.Replace(all["project review"], large); err == nil || f.read(".claude/skills/review/SKILL.md") != review {
		t.Errorf("%v", err)
	}
	if err := f.store.Create(Agent, Project, "sub", large); err == nil {
		t.Error("a document is written on a full disk")
	}
	for _, dir := range []string{"skills/review", "agents"} {
		entries, err := os.ReadDir(f.project + "/.claude/" + dir)
		f.must(err)
		for _, e := range entries {
			if e.Name() != fileName {
				t.Errorf("%s is left", e.Name())
			}
		}
	}
	f.must(os.Remove(f.project + "/ballast"))
	f.must(f.store.Replace(all["project review"], large))
}
