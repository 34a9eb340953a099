package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestProgram(t *testing.T) {
	root := t.TempDir()
	bin, other, links := filepath.Join(root, "my bin"), filepath.Join(root, "other"), filepath.Join(root, "links")
	for _, dir := range []string{bin, other, links} {
		mkdir(t, dir, 0o700)
	}
	agent := filepath.Join(bin, "agent")
	c := Program{Agent: agent, Version: "v1", Commit: "a", Path: strings.Join([]string{"", ".", filepath.Join(root, "none"), bin}, ":")}
	wantProblem(t, c, "agent", "there is no program "+agent, "make install")

	write(t, agent, "#!/bin/sh\necho agent v1\n", 0o700)
	wantFine(t, c, "agent", agent+", version v1")
	write(t, agent, "#!/bin/sh\necho 'agent v1 (commit a, build 1-2, go)'\n", 0o700)
	wantFine(t, c, "agent", agent+", version v1")
	write(t, agent, "#!/bin/sh\necho 'agent v1 (commit unknown, build 1-2, go)'\n", 0o700)
	wantFine(t, c, "agent", agent+", version v1")
	wantFine(t, c, "PATH", "found by its name")

	if err := os.Symlink(agent, filepath.Join(links, "agent")); err != nil {
		t.Fatal(err)
	}
	c.Path = links
	wantFine(t, c, "PATH", "found by its name")
	c.Path = other
	wantProblem(t, c, "PATH", bin+" is not on PATH", "export PATH='"+bin+"':$PATH")

	write(t, filepath.Join(other, "agent"), "#!/bin/sh\n", 0o700)
	c.Path = other + ":" + bin
	wantProblem(t, c, "PATH", filepath.Join(other, "agent")+" comes first", "put "+bin+" before "+other)

	for script, want := range map[string]string{
		"#!/bin/sh\necho agent v2\n":                             "is version v2, but controlserver is version v1",
		"#!/bin/sh\necho 'agent v1 (commit b, build 1-2, go)'\n": "was built from commit b, but controlserver from a",
		"#!/bin/sh\necho hello\n":                                "is another program",
		"#!/bin/sh\nexit 3\n":                                    "does not run: exit status 3",
	} {
		write(t, agent, script, 0o700)
		wantProblem(t, c, "agent", want, "make install")
	}
	write(t, agent, "", 0o600)
	wantProblem(t, c, "agent", "there is no program", "make install")
}
