package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tidepool/lsp/lsptest"
)

// A hostile clone is a repository that somebody has just cloned, with the hooks of its user around it. What it tracks
// writes a file into marks if anybody runs it.
type hostileClone struct {
	home
	marks, bin string
	told       string   // what rust-analyzer was told by its clients
	names      []string // of the files that would be in marks
	calls      atomic.Int32
}

var mark = regexp.MustCompile(`\$MARK/([a-z][a-z0-9-]*)|evil/run", "([a-z-]+)|evil/run ([a-z][a-z-]*)`)

// cloneHostile lays out what testdata/hostile/name has, commits it, and clones that.
func cloneHostile(t *testing.T, name string) *hostileClone {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	h := &hostileClone{marks: filepath.Join(base, "marks"), bin: filepath.Join(base, "bin"), told: filepath.Join(base, "told")}
	h.t, h.dir = t, filepath.Join(base, "clone")
	must(t, os.Mkdir(h.marks, 0o700))
	archived, err := os.ReadFile(filepath.Join("internal", "e2e", "testdata", "hostile", name))
	must(t, err)
	archive := string(archived)
	for _, found := range mark.FindAllStringSubmatch(archive, -1) {
		if name := found[1] + found[2] + found[3]; name != "name" && !slices.Contains(h.names, name) {
			h.names = append(h.names, name)
		}
	}
	archive = strings.NewReplacer("$MARK", h.marks, "$CLONE", h.dir, "$LISTENER", h.listen()).Replace(archive)
	origin := filepath.Join(base, "origin")
	lsptest.Write(t, origin, archive)
	must(t, filepath.WalkDir(origin, func(path string, entry os.DirEntry, err error) error {
		if text, _ := os.ReadFile(path); err == nil && bytes.HasPrefix(text, []byte("#!")) {
			return os.Chmod(path, 0o755)
		}
		return err
	}))
	if name == "clone.txtar" {
		h.plugin(origin)
	}
	lsptest.Git(t, origin, "init", "-q")
	lsptest.Git(t, origin, "-c", "core.excludesFile=", "add", "-Af")
	lsptest.Git(t, origin, "commit", "-qm", "first")
	lsptest.Git(t, base, "clone", "-q", origin, h.dir)
	must(t, os.MkdirAll(filepath.Join(h.dir, ".tidepool"), 0o700))
	must(t, os.Chmod(filepath.Join(h.dir, ".tidepool"), 0o700))
	h.programs(base)
	t.Cleanup(h.stop)
	return h
}

// listen returns the address of a listener that counts who comes.
func (h *hostileClone) listen() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(h.t, err)
	h.t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			h.calls.Add(1)
			conn.Close()
		}
	}()
	return l.Addr().String()
}

// plugin makes a compiler's plugin that leaves a mark as soon as it is loaded, where there is a C compiler.
func (h *hostileClone) plugin(origin string) {
	source := filepath.Join(h.t.TempDir(), "plugin.c")
	must(h.t, os.WriteFile(source, []byte(`#include <fcntl.h>
__attribute__((constructor)) static void run(void) { open("`+h.marks+`/compiler-plugin", O_CREAT | O_WRONLY, 0600); }
`), 0o600))
	cc := exec.Command("cc", "-shared", "-fPIC", "-o", filepath.Join(origin, "evil", "plugin.so"), source)
	if out, err := cc.CombinedOutput(); err != nil {
		h.t.Logf("the plugin is no plugin: %v\n%s", err, out)
		return
	}
	h.names = append(h.names, "compiler-plugin")
}

// programs are what is installed: the real servers, and players of those that are not here. The rust-analyzer is rustup's
// proxy, which obeys the file in the project unless a variable says otherwise.
func (h *hostileClone) programs(base string) {
	must(h.t, os.Mkdir(h.bin, 0o700))
	parts, rustup := filepath.Join(base, "parts"), filepath.Join(base, "rustup")
	lsptest.Put(h.t, parts, `initialized => experimental/serverStatus {"health":"ok","quiescent":false}
* => experimental/serverStatus {"health":"ok","quiescent":true}
`)
	lsptest.Put(h.t, filepath.Join(rustup, "settings.toml"), "default_toolchain = \"stable-x\"\n")
	for name, script := range map[string]string{
		"bd":                              ": > " + h.marks + "/bd",
		"haskell-language-server-wrapper": ": > " + h.marks + "/haskell-started",
		"rust-analyzer": `[ -n "$RUSTUP_TOOLCHAIN" ] || : > ` + h.marks + `/rust-toolchain
[ ! -e .cargo/config.toml ] || : > ` + h.marks + `/rust-wrapper
[ ! -e rust-analyzer.toml ] || : > ` + h.marks + `/rust-override
[ ! -e rust-project.json ] || : > ` + h.marks + `/rust-sysroot
tee -a ` + h.told + ` | '` + strings.Join(lsptest.Command(lsptest.Plays(parts)), "' '") + "'",
	} {
		path := filepath.Join(h.bin, name)
		lsptest.Put(h.t, path, "#!/bin/sh\n"+script+"\n")
		must(h.t, os.Chmod(path, 0o755))
	}
	gopls := filepath.Dir(lsptest.Program(h.t, "gopls"))
	// As npx does it, and people who should not.
	path := []string{h.into(), ".", h.bin, os.Getenv("TIDEPOOL_TEST_BIN"), gopls, filepath.Join(gopls, "servers", "node_modules", ".bin"), os.Getenv("PATH")}
	h.env = []string{
		"PATH=" + strings.Join(path, string(filepath.ListSeparator)), "HOME=" + os.Getenv("HOME"), "RUSTUP_HOME=" + rustup,
		"XDG_STATE_HOME=" + filepath.Join(base, "state"), "XDG_CACHE_HOME=" + filepath.Join(base, "cache"),
		"XDG_DATA_HOME=" + filepath.Join(base, "data"),
	}
	for key, value := range goCaches(h.t) {
		h.env = append(h.env, key+"="+value)
	}
	h.env = append(h.env, "GOPROXY=off")
}

// into is a directory of the clone that stands on PATH.
func (h *hostileClone) into() string { return filepath.Join(h.dir, "node_modules", ".bin") }

func (h *hostileClone) stop() {
	if out, err := h.program("controlserver", "stop").CombinedOutput(); err != nil {
		h.t.Errorf("stopping: %v\n%s", err, out)
	}
}

// hook sends an event and returns the answer.
func (h *hostileClone) hook(event string, more map[string]any) string {
	h.t.Helper()
	input := map[string]any{"hook_event_name": event, "session_id": "s", "cwd": h.dir}
	for key, value := range more {
		input[key] = value
	}
	text, err := json.Marshal(input)
	must(h.t, err)
	cmd := h.program("agent", "hook", event)
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), &errs
	out, err := cmd.Output()
	if err != nil || errs.Len() > 0 {
		h.t.Errorf("%s: %v: %s", event, err, errs.Bytes())
	}
	return string(out)
}

// call asks a tool as a model does, and returns all that it says.
func (h *hostileClone) call(tool, arguments string, flags ...string) string {
	h.t.Helper()
	out, _ := h.program("controlserver", append([]string{"call", tool, arguments}, flags...)...).CombinedOutput() // a refusal is an answer, too
	if bytes.Contains(out, []byte(": "+tool+" takes ")) {
		h.t.Errorf("%s: %s", tool, out)
	}
	return string(out)
}

// session does what a session of Claude Code does, and returns what it read at its start.
func (h *hostileClone) session() (greeting string) {
	h.t.Helper()
	greeting = h.hook("SessionStart", map[string]any{"source": "startup"})
	out, err := h.program("agent", "health", "--ready", "--timeout", "3m").CombinedOutput()
	h.t.Logf("ready: %v %s", err, out)
	for _, file := range []string{"web/main.ts", "main.go", "py/shop.py", "c/area.c", "rs/src/lib.rs", "hs/src/Store.hs"} {
		path := filepath.Join(h.dir, file)
		if text, err := os.ReadFile(path); err == nil {
			must(h.t, os.WriteFile(path, append(text, '\n'), 0o644))
			h.hook("PostToolUse", map[string]any{"tool_name": "Edit", "tool_input": map[string]any{"file_path": path}, "tool_response": map[string]any{}})
		}
	}
	for _, name := range []string{"greet", "Pay", "price", "area", "twice"} {
		h.call("find_callers", fmt.Sprintf(`{"name":%q}`, name))
		h.call("scout", fmt.Sprintf(`{"query":"What breaks if it takes another parameter?","symbols":[%q],"depth":"high"}`, name))
		h.call("teach-graph", fmt.Sprintf(`{"topic":"it","seeds":[%q]}`, name))
	}
	h.call("show_fields", `{"type_name":"Till"}`)
	h.call("show_constructors", `{"type_name":"Till"}`)
	h.call("spawn_agents", `{"bead_ids":["demo-1"]}`)
	h.hook("Stop", map[string]any{"stop_hook_active": false})
	return greeting
}

// ran lists what of the clone has run.
func (h *hostileClone) ran() []string {
	entries, err := os.ReadDir(h.marks)
	must(h.t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// A fresh clone runs nothing, sends nothing and permits nothing, whatever it tracks; and it is the lack of trust that
// keeps it from that.
func TestHostileClone(t *testing.T) {
	h := cloneHostile(t, "clone.txtar")
	greeting := h.session()
	for _, held := range []string{"TypeScript", "Rust's build scripts", "haskell-language-server-wrapper", "bd", "agent trust"} {
		if strings.Count(greeting, held) != 1 {
			t.Errorf("the session does not read once of %s: %s", held, greeting)
		}
	}
	if answer := h.hook("PreToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "ls"}}); strings.Contains(answer, "allow") {
		t.Errorf("a tool runs unasked: %s", answer)
	}
	for tool, arguments := range map[string]string{"exo_status": `{"bead_id":"demo-1"}`, "exo_reconstitute": `{}`} {
		if answer := h.call(tool, arguments); !strings.Contains(answer, "not trusted") {
			t.Errorf("%s does not say why bd is not asked: %s", tool, answer)
		}
	}
	h.stop()
	h.env = append(h.env, "TIDEPOOL_SCOUT_SCORER=heuristic")
	h.hook("SessionStart", map[string]any{"source": "startup"})
	scouted := h.call("scout", `{"query":"Which tests run Pay?","symbols":["Pay"],"change":"change_behavior","wait_seconds":240}`, "--json")
	if !strings.Contains(scouted, `"reason":"no test is run to see what it runs: this project is not trusted`) {
		t.Errorf("scout does not say why no test is run: %s", scouted)
	}
	h.stop()
	if ran := h.ran(); ran != nil {
		t.Errorf("of the clone ran %v", ran)
	}
	told, err := os.ReadFile(h.told)
	must(t, err)
	if !bytes.Contains(told, []byte(`"buildScripts":{"enable":false}`)) || !bytes.Contains(told, []byte(`"procMacro":{"enable":false}`)) {
		t.Errorf("rust-analyzer would run build scripts and macros: %s", told)
	}
	if _, err := os.Stat(filepath.Join(h.dir, ".tidepool", "training")); err == nil || h.calls.Load() > 0 {
		t.Errorf("what is asked is written down (%v), or sent away (%d times)", err, h.calls.Load())
	}
	more := []string{"pre_tool_use", "policy", "scout.endpoint", "scout.record", "bd", "haskell-started", "rust-toolchain", "rust-macros"}
	total := len(h.names) + len(more)
	t.Logf("%d of %d held: %v %v", total-len(h.ran()), total, h.names, more)

	if out, err := h.program("agent", "trust").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	h.env[0] = strings.Replace(h.env[0], h.into(), "/nowhere", 1) // else what is there stands for the servers
	h.hook("SessionStart", map[string]any{"source": "startup"})
	h.hook("Stop", map[string]any{"stop_hook_active": false})
	alive := []string{"tsserver", "bd", "haskell-started", "rust-toolchain"}
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		ran := h.ran()
		if !slices.ContainsFunc(alive, func(name string) bool { return !slices.Contains(ran, name) }) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("trusted, it has run %v, and not %v: the traps are dead", ran, alive)
		}
	}
}

// Where a file overrules what rust-analyzer is told, it is not started.
func TestHostileRust(t *testing.T) {
	h := cloneHostile(t, "armed.txtar")
	h.session()
	if answer := h.call("find_callers", `{"name":"area"}`); !strings.Contains(answer, "rust-analyzer is not started") || !strings.Contains(answer, "agent trust") {
		t.Errorf("the answer does not say why there is none: %s", answer)
	}
	h.stop()
	if ran := h.ran(); ran != nil {
		t.Errorf("of the clone ran %v", ran)
	}
	t.Logf("%d of %d held: %v", len(h.names)-len(h.ran()), len(h.names), h.names)
}
