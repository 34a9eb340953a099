package doctor

import (
	"path/filepath"
	"testing"
)

func TestProgram(t *testing.T) {
	root := t.TempDir()
	agent := filepath.Join(root, "agent")
	c := Program{Agent: agent, Version: "v1", Commit: "a"}
	wantProblem(t, c, "agent", "there is no program "+agent, "install.sh of a release")

	write(t, agent, "#!/bin/sh\necho agent v1\n", 0o700)
	wantFine(t, c, "agent", agent+", version v1")
	write(t, agent, "#!/bin/sh\necho 'agent v1 (commit a, build 1-2, go)'\n", 0o700)
	wantFine(t, c, "agent", agent+", version v1")
	write(t, agent, "#!/bin/sh\necho 'agent v1 (commit unknown, build 1-2, go)'\n", 0o700)
	wantFine(t, c, "agent", agent+", version v1")

	for script, want := range map[string]string{
		"#!/bin/sh\necho agent v2\n":                             "is version v2, but controlserver is version v1",
		"#!/bin/sh\necho 'agent v1 (commit b, build 1-2, go)'\n": "was built from commit b, but controlserver from a",
		"#!/bin/sh\necho hello\n":                                "is another program",
		"#!/bin/sh\nexit 3\n":                                    "does not run: exit status 3",
	} {
		write(t, agent, script, 0o700)
		wantProblem(t, c, "agent", want, "install.sh of a release")
	}
	write(t, agent, "", 0o600)
	wantProblem(t, c, "agent", "there is no program", "install.sh of a release")
}
