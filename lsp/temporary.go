package lsp

import (
	"os"

	"tidepool/lsp/internal/process"
)

// temporaryDir is where programs with an environment put temporary files.
func temporaryDir(env []string) string {
	if dir := getenv(env, "TMPDIR"); dir != "" {
		return dir
	}
	return os.TempDir()
}

// A temporary is the directory for the temporary files of one session; "": they lie where those of other programs do.
//
// Servers leave files behind. Measured: typescript-language-server 5.3 two directories, however it ends; pyright 1.1.414
// one when a signal ends it; clangd 14 its preambles, and gopls v0.23 the module or the go command that it is busy with,
// when it is killed.
type temporary string

// newTemporary makes the directory. A server whose directory cannot be made does without.
func newTemporary(in *process.Scratch) temporary {
	dir, err := in.Make()
	if err != nil {
		return ""
	}
	return temporary(dir)
}

// environ has a program use it: TMPDIR is read by all of them on Unix, TMP and TEMP by Node elsewhere.
func (t temporary) environ() []string {
	if t == "" {
		return nil
	}
	return []string{"TMPDIR=" + string(t), "TMP=" + string(t), "TEMP=" + string(t)}
}

// remove removes it when the server has ended. What a process of another group still writes there is removed with the
// project.
func (t temporary) remove() {
	if t != "" {
		os.RemoveAll(string(t))
	}
}
