package transcript

import "bytes"

// A Report is what a line of Claude Code's transcript says of the events that hooks report: prompts, and tools that have ended. Unlike
// an [Event] it has what tools returned. Values alias the line.
type Report struct {
	Event           // Calls and Failures are not set
	PromptID string // of a prompt: the hook's prompt_id; "": the line does not say
	Uses     []Use
	Results  []Result
}

// A Use is a call of a tool.
type Use struct {
	ID, Name string
	Input    []byte // JSON
}

// A Result is what a call has returned. Of one that nobody allowed there is none: no hook reports it as one that ended.
type Result struct {
	Call   string
	Failed bool
	Text   string // what the model reads
	Data   []byte // JSON, the hook's tool_response; nil: the line has none
}

// ReportOf returns what a line says; false if it says nothing of the sort.
func ReportOf(line []byte) (Report, bool) {
	r, err := readClaude(line)
	if err != nil {
		return Report{}, false
	}
	report := Report{Event: r.event()}
	switch r.kind {
	case "user":
		r.user(&report.Event)
		if len(r.denial) == 0 {
			report.Results = r.results()
		}
	case "assistant":
		report.Uses = r.uses()
	case "attachment":
		r.queued(&report.Event)
	}
	if report.Prompt == "" && report.Uses == nil && report.Results == nil {
		return Report{}, false
	}
	r.name(&report.Event)
	report.PromptID = text(r.promptID)
	report.Failures = nil
	report.bound()
	return report, true
}

// uses returns the calls in an answer.
func (r *claudeRecord) uses() (all []Use) {
	r.blocks(func(b block) {
		if b.kind == "tool_use" {
			all = append(all, Use{ID: clip(text(b.id), maxID), Name: clip(text(b.name), maxName), Input: b.input})
		}
	})
	return all
}

// results returns the results of calls. Data are of a record with one result, as Claude Code writes them.
func (r *claudeRecord) results() (all []Result) {
	r.blocks(func(b block) {
		if b.kind == "tool_result" {
			all = append(all, Result{Call: clip(text(b.call), maxID), Failed: b.failed, Text: allText(b.content)})
		}
	})
	if len(all) == 1 && len(bytes.TrimSpace(r.result)) > 0 {
		all[0].Data = r.result
	}
	return all
}

// blocks calls visit with each block of a message.
func (r *claudeRecord) blocks(visit func(block)) {
	_ = members(r.message, func(key, value []byte) bool {
		if string(key) == "content" {
			elements(value, func(data []byte) { visit(readBlock(data)) })
		}
		return true
	})
}

// allText returns the text of a result, its blocks parted by line feeds.
func allText(content []byte) string {
	if isText(content) {
		return text(content)
	}
	var all []byte
	elements(content, func(data []byte) {
		if b := readBlock(data); b.kind == "text" {
			if len(all) > 0 {
				all = append(all, '\n')
			}
			all = append(all, text(b.text)...)
		}
	})
	return string(all)
}
