package lsp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/sample"
	"tidepool/lsp/internal/process"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/workspace"
	"tidepool/lsp/lsptest"
)

// samples are small projects by language.
func samples() map[string]*sample.Project {
	const parts = 2 * sample.Hubs
	all := map[string]*sample.Project{}
	for _, p := range []*sample.Project{sample.Go(parts), sample.TypeScript(parts), sample.Python(parts), sample.C(parts)} {
		all[p.Language] = p
	}
	return all
}

// installed are the languages of the table whose server there is.
func installed(t *testing.T) []Language {
	t.Helper()
	var languages []Language
	for _, language := range Languages() {
		if _, ok := samples()[language.ID]; ok {
			language.Command[0] = lsptest.Program(t, language.Command[0])
			languages = append(languages, language)
		}
	}
	return languages
}

// eachServer runs a test for each language whose server there is, on a small project of that language with a toy beside
// it.
func eachServer(t *testing.T, test func(t *testing.T, language Language, dir string)) {
	for _, language := range installed(t) {
		t.Run(language.ID, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := samples()[language.ID].Write(dir); err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(dir, "toy.mod"), "")
			put(t, filepath.Join(dir, "main.toy"), "def Alpha\nuse Alpha\n")
			test(t, language, dir)
		})
	}
}

// openBeside serves a language and the toy.
func openBeside(t *testing.T, dir string, language Language) *Project {
	t.Helper()
	return openWith(t, Options{
		Root: dir, Languages: []Language{language, toy()}, Env: append(environment(), "GOWORK=off", "XDG_CACHE_HOME="+t.TempDir()),
	})
}

// hubUses asks for the uses of the hub's first function.
func hubUses(ctx context.Context, p *Project, language string) (int, Completeness, error) {
	v, err := p.View(ctx, ViewOptions{})
	if err != nil {
		return 0, Completeness{}, err
	}
	symbols, err := v.Symbols(ctx, samples()[language].Functions()[0])
	if err != nil || len(symbols) == 0 {
		return 0, v.Completeness(), err
	}
	uses, err := v.References(ctx, symbols[0].Location, false)
	return len(uses), v.Completeness(), err
}

// toyServed asks the other server, which must answer whatever becomes of the one under test.
func toyServed(t *testing.T, p *Project, dir string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patienceOfTests)
	defer cancel()
	v, err := p.View(ctx, ViewOptions{})
	if err != nil {
		t.Errorf("meanwhile: %v", err)
		return
	}
	uses, err := v.References(ctx, At(filepath.Join(dir, "main.toy"), 1, 5), false)
	if err != nil || len(uses) != 1 {
		t.Errorf("meanwhile the toy gives %v, %v", uses, err)
	}
}

// first is the status of the language under test.
func first(p *Project) ServerStatus { return p.Status()[0] }

// A server that is stopped holds up nobody for longer than they are willing to wait; one that is killed is
// replaced.
func TestStoppedAndKilled(t *testing.T) {
	t.Parallel()
	eachServer(t, func(t *testing.T, language Language, dir string) {
		p := openBeside(t, dir, language)
		want, c, err := hubUses(t.Context(), p, language.ID)
		if err != nil || want == 0 || c.State != Complete {
			t.Fatalf("%d uses, %v, %+v", want, err, c)
		}
		pid := first(p).PID
		process.SignalGroup(pid, syscall.SIGSTOP)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		started := time.Now()
		forget(p)
		if _, c, err = hubUses(ctx, p, language.ID); err == nil && c.State == Complete || time.Since(started) > 30*time.Second {
			t.Errorf("stopped, after %v: %v, %+v", time.Since(started), err, c)
		}
		toyServed(t, p, dir)
		process.SignalGroup(pid, syscall.SIGCONT)
		if got, c, err := hubUses(t.Context(), p, language.ID); got != want || err != nil || c.State != Complete {
			t.Errorf("when it goes on: %d uses, want %d; %v, %+v", got, want, err, c)
		}
		killInFlight(t, p, language)
		if got, c, err := hubUses(t.Context(), p, language.ID); got != want || err != nil || c.State != Complete {
			t.Errorf("after the kill: %d uses, want %d; %v, %+v", got, want, err, c)
		}
		if s := first(p); s.Restarts != 1 || s.PID == pid {
			t.Errorf("status %+v", s)
		}
	})
}

// forget drops what is remembered of answers.
func forget(p *Project) {
	for _, s := range p.workspace.Servers() {
		s.Forget()
	}
}

// killInFlight kills the server while a call waits for it, and looks at what the call says.
func killInFlight(t *testing.T, p *Project, language Language) {
	t.Helper()
	pid := first(p).PID
	process.SignalGroup(pid, syscall.SIGSTOP) // the call cannot be answered
	ended := make(chan error, 1)
	for tries, waits := 0, false; !waits; tries++ {
		forget(p)
		go func() {
			_, _, err := hubUses(t.Context(), p, language.ID)
			ended <- err
		}()
		select {
		case err := <-ended: // an answer from before came late, and was remembered
			if tries == 10 {
				t.Errorf("a stopped server has answered: %v", err)
				return
			}
		case <-time.After(100 * time.Millisecond): // if the call has not left by then, the next server answers it
			waits = true
		}
	}
	process.SignalGroup(pid, syscall.SIGKILL)
	if err := <-ended; err != nil && (!strings.Contains(err.Error(), "exited: signal: killed") || !strings.Contains(hint(err), "ask again")) {
		t.Errorf("error %v, hint %q", err, hint(err))
	}
}

// script replaces the program of a language by a shell script. In it $SERVER is the real one with its arguments.
func script(t *testing.T, language Language, text string) Language {
	t.Helper()
	path := filepath.Join(t.TempDir(), "server")
	put(t, path, fmt.Sprintf("#!/bin/sh\nSERVER='%s'\n%s\n", strings.Join(language.Command, " "), text))
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	language.Command = []string{path}
	return language
}

// Servers that are of no use end in an error that says why, again and again until they are given up; the toy is
// served all the time.
func TestServersOfNoUse(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"exits", "echo no licence >&2; exit 3", "exit status 3"},
		{"killed", "echo no licence >&2; kill -KILL $$", "signal: killed"},
		{"speaks otherwise", "echo no licence >&2; echo Welcome to this server.; cat >/dev/null", "exited: "},
		{"answers garbage", "echo no licence >&2; printf 'Content-Length: 7\\r\\n\\r\\n{\"a\":]}'; cat >/dev/null", "exited: "},
		{"refuses", `echo no licence >&2
answer='{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"I would rather not"}}'
printf 'Content-Length: %d\r\n\r\n%s' ${#answer} "$answer"
cat >/dev/null`, "exited: "},
		{"closes its output", "echo no licence >&2; exec >&-; cat >/dev/null", "exited: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel() // they wait most of the time
			eachServer(t, func(t *testing.T, language Language, dir string) {
				p := openBeside(t, dir, script(t, language, test.script))
				toyServed(t, p, dir)
				var exit *session.ExitError
				for range workspace.ExitLimit + 1 {
					_, c, err := hubUses(t.Context(), p, language.ID)
					if err == nil && c.State == Complete {
						t.Fatalf("an answer without a server: %+v", c)
					}
				}
				err := p.workspace.Servers()[0].Await(t.Context(), p.workspace.Main, nil)
				if !errors.As(err, &exit) || !exit.GaveUp || !strings.Contains(err.Error(), test.want) ||
					!strings.Contains(err.Error(), "no licence") || hint(err) == "" {
					t.Errorf("error %v, hint %q", err, hint(err))
				}
				if s := first(p); s.State != Failed || s.PID != 0 || s.Restarts != workspace.ExitLimit-1 {
					t.Errorf("status %+v", s)
				}
				toyServed(t, p, dir)
			})
		})
	}
}

// A server that spends its time on standard error is served from, and remembered by its last lines.
func TestSpewing(t *testing.T) {
	t.Parallel()
	eachServer(t, func(t *testing.T, language Language, dir string) {
		p := openBeside(t, dir, script(t, language, "yes 'all is lost' >&2 &\nexec $SERVER"))
		got, c, err := hubUses(t.Context(), p, language.ID)
		if err != nil || got == 0 || c.State != Complete {
			t.Errorf("%d uses, %v, %+v", got, err, c)
		}
		live := current(p)
		process.SignalGroup(first(p).PID, syscall.SIGKILL)
		<-live.Done()
		var exit *session.ExitError
		if !errors.As(live.Retired(), &exit) || len(exit.Stderr) == 0 || len(exit.Error()) > 16<<10 {
			t.Errorf("error %v", live.Retired())
		}
		toyServed(t, p, dir)
	})
}

// What does not compile is told by clangd's log alone: without it no answer is complete.
func TestSilentLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "-- compile_flags.txt --\n-- a.c --\nint alpha(void) { return 0; }\nint b(void) { return alpha(); }\n-- bad.c --\nint c(void) { return nothing; }\n")
	p := open(t, dir, script(t, clangd(t), "exec $SERVER 2>/dev/null"))
	for range 2 {
		got, c := usesOf(t, p, "alpha")
		if got != 1 || c.State != Partial || !strings.Contains(c.Reason, "does not log to standard error") {
			t.Errorf("%d uses, %+v", got, c)
		}
		put(t, filepath.Join(dir, "a.c"), "int alpha(void) { return 0; }\n\nint b(void) { return alpha(); }\n")
	}
}

// A server that never ends its handshake costs a call its budget, and no more.
func TestNeverBegins(t *testing.T) {
	t.Parallel()
	eachServer(t, func(t *testing.T, language Language, dir string) {
		p := openBeside(t, dir, script(t, language, "cat >/dev/null"))
		toyServed(t, p, dir)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		started := time.Now()
		if _, c, err := hubUses(ctx, p, language.ID); err == nil && c.State == Complete || time.Since(started) > 30*time.Second {
			t.Errorf("after %v: %v, %+v", time.Since(started), err, c)
		}
		if s := first(p); s.State != Starting {
			t.Errorf("status %+v", s)
		}
	})
}

func TestProgramMissing(t *testing.T) {
	t.Parallel()
	eachServer(t, func(t *testing.T, language Language, dir string) {
		language.Command = []string{"no-such-program"}
		p := openBeside(t, dir, language)
		toyServed(t, p, dir)
		err := p.workspace.Servers()[0].Await(t.Context(), p.workspace.Main, nil)
		if err == nil || !strings.Contains(err.Error(), "no-such-program is not on PATH") || !strings.Contains(hint(err), language.Install) {
			t.Errorf("error %v, hint %q", err, hint(err))
		}
		if s := first(p); s.State != Missing {
			t.Errorf("status %+v", s)
		}
		if c := p.Completeness(); c.State == Complete {
			t.Errorf("completeness %+v", c)
		}
	})
}
