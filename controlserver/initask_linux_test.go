package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidepool/internal/daemontest"
	"tidepool/internal/ollama/ollamatest"
)

// converse runs a command at a terminal, and returns its questions and what was printed. answer gets the questions so far.
func converse(t *testing.T, dir string, vars []string, answer func(questions []string) string, args ...string) (questions []string, out string) {
	t.Helper()
	person, terminal := openTerminal(t)
	var printed bytes.Buffer
	cmd := program(t, dir, vars, args...)
	cmd.Stdin, cmd.Stdout = terminal, &printed
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = terminal.Close()
	var said []byte
	for one := make([]byte, 1); ; {
		if _, err := errs.Read(one); err != nil {
			break
		}
		said = append(said, one...)
		question, asked := strings.CutSuffix(string(said), " [y/N] ")
		if !asked {
			continue
		}
		questions, said = append(questions, question), nil
		if _, err := io.WriteString(person, answer(questions)+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %v\n%s%s", args, err, printed.String(), said)
	}
	return questions, printed.String()
}

// scorerIn returns the scorer and the endpoint that a project's config.json chooses.
func scorerIn(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, ".tidepool", "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		if strings.Contains(line, `"scorer"`) || strings.Contains(line, `"endpoint"`) {
			lines = append(lines, strings.Trim(line, " ,\n"))
		}
	}
	return strings.Join(lines, " ")
}

// A person whose machine runs Ollama is asked once whether to use it, and uninit undoes the answer.
func TestInitAsksForOllama(t *testing.T) {
	agentBeside(t)
	server := ollamatest.New(t, nil)
	const unset = `"scorer": "" "endpoint": ""`
	for reply, want := range map[string]string{
		"y": fmt.Sprintf(`"scorer": "ollama" "endpoint": %q`, server.URL),
		"n": `"scorer": "heuristic" "endpoint": ""`,
	} {
		dir := daemontest.Project(t)
		vars := []string{"HOME=" + daemontest.Project(t), "OLLAMA_HOST=" + server.URL}
		question := "Ollama answers at " + server.URL + " and has " + ollamatest.Model + ". Shall scout and teach-graph use it?"
		answer := func(questions []string) string {
			switch last := questions[len(questions)-1]; {
			case last == question:
				return reply
			case last == "Shall this be written?" && slices.Contains(questions, question):
				return "y"
			}
			return "n"
		}
		for files(t, dir) == "" { // on a busy machine Ollama may not answer in time, and nothing is written
			converse(t, dir, vars, answer, "init")
		}
		if got := scorerIn(t, dir); got != want {
			t.Errorf("%s: %s, want %s", reply, got, want)
		}
		runProgram(t, dir, vars, "config").want(t, 0, " .tidepool/config.json", "") // and no warning that a setting is refused
		if questions, out := converse(t, dir, vars, answer, "init"); len(questions) > 0 || !strings.Contains(out, "nothing to change") {
			t.Errorf("%s: asked again: %q\n%s", reply, questions, out)
		}
		runProgram(t, dir, vars, "uninit", "--yes").want(t, 0, "taken out\n", "")
		if got := scorerIn(t, dir); got != unset {
			t.Errorf("%s: uninit left %s", reply, got)
		}
	}
}

// Nobody is asked whose Ollama lacks the model, and they read how to get it; nor who says --yes.
func TestInitTellsOfTheModel(t *testing.T) {
	agentBeside(t)
	server := ollamatest.New(t, nil)
	dir := daemontest.Project(t)
	vars := []string{"HOME=" + daemontest.Project(t), "OLLAMA_HOST=" + server.URL, "TIDEPOOL_SCOUT_MODEL=gemma:none"}
	want := "note: Ollama answers at " + server.URL + " without gemma:none: after `ollama pull gemma:none`, agent init asks whether scout and teach-graph shall use it\n"
	decline := func([]string) string { return "n" }
	for out := ""; !strings.Contains(out, "Ollama"); { // as above
		var questions []string
		if questions, out = converse(t, dir, vars, decline, "init", "--dry-run"); len(questions) > 0 || strings.Contains(out, "Ollama") {
			t.Fatalf("a dry run asked %q\n%s", questions, out)
		}
		if questions, out = converse(t, dir, vars, func([]string) string { return "y" }, "init"); len(questions) != 0 && questions[0] != "Shall this be written?" {
			t.Fatalf("asked %q", questions)
		}
		if strings.Contains(out, "Ollama") && !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, name := range []string{"gemma; id", "$(id)", "--help"} { // what would become of the command
		vars := append(vars[:2:2], "TIDEPOOL_SCOUT_MODEL="+name)
		if questions, out := converse(t, dir, vars, decline, "init"); len(questions) > 0 || strings.Contains(out, "Ollama") {
			t.Errorf("%s: asked %q\n%s", name, questions, out)
		}
	}
	dir = daemontest.Project(t)
	if questions, out := converse(t, dir, vars[:2], decline, "init", "--yes"); len(questions) > 0 || scorerIn(t, dir) != `"scorer": "" "endpoint": ""` {
		t.Errorf("asked %q\n%s", questions, out)
	}
}
