package transcript

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a recorded transcript says is what the hooks of the same session reported, which were recorded beside it.
func TestReportOfRecorded(t *testing.T) {
	all := reports(t, "failures.jsonl")
	var said []string
	for _, r := range all {
		if r.Prompt != "" {
			said = append(said, "prompt "+r.PromptID+" "+r.Prompt)
		}
		for _, u := range r.Uses {
			said = append(said, "use "+u.ID+" "+u.Name)
		}
		for _, x := range r.Results {
			said = append(said, "result "+x.Call+" "+strings.ReplaceAll(x.Text, "\n", "|"))
			if !x.Failed {
				t.Errorf("%s has not failed", x.Call)
			}
		}
	}
	want := []string{
		"prompt 0ca382b0-6bd7-486f-a09e-211ffb89e4f9 hello",
		"use toolu_00001 Bash", "result toolu_00001 Exit code 3|out|err",
		"use toolu_00002 Read", "result toolu_00002 File does not exist. Note: your current working directory is /home/dev/demo.",
		"use toolu_00003 Write", // which was denied, so that it has no result
		"use toolu_00004 NoSuchTool", "result toolu_00004 <tool_use_error>Error: No such tool available: NoSuchTool</tool_use_error>",
		"use toolu_00005 Read", "result toolu_00005 <tool_use_error>InputValidationError: Read failed due to the following issues:|The required parameter `file_path` is missing|An unexpected parameter `bogus` was provided</tool_use_error>",
	}
	if got := strings.Join(said, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("the transcript says\n%s\nand not\n%s", got, strings.Join(want, "\n"))
	}
}

// The data of a result are what the hook was given as the tool's response.
func TestReportHasTheResponse(t *testing.T) {
	var data []byte
	for _, r := range reports(t, "basic.jsonl") {
		for _, x := range r.Results {
			if x.Call == "toolu_00001" {
				data = x.Data
			}
		}
	}
	var response struct{ File struct{ FilePath string } }
	if err := json.Unmarshal(data, &response); err != nil || response.File.FilePath != "/home/dev/demo/src/main.go" {
		t.Errorf("the response is %s, %v", data, err)
	}
}

// reports returns what the lines of a recorded transcript say.
func reports(t *testing.T, name string) (all []Report) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "recorded", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		if r, ok := ReportOf(bytes.TrimSuffix(line, []byte("\n"))); ok {
			all = append(all, r)
		}
	}
	return all
}

func FuzzReportOf(f *testing.F) {
	f.Add([]byte(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"out"}]}]},"toolUseResult":{"stdout":"out"}}`))
	f.Add([]byte(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		r, ok := ReportOf(line)
		if ok && r.Prompt == "" && len(r.Uses) == 0 && len(r.Results) == 0 {
			t.Errorf("%q is a report of nothing", line)
		}
	})
}
