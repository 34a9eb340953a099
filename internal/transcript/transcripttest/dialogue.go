package transcripttest

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tidepool/internal/transcript"
)

// opening writes what stands before the first prompt.
func (m *maker) opening() {
	m.raw(`{"type":"mode","mode":"normal","sessionId":"` + m.o.Session + `"}`)
	m.raw(`{"type":"permission-mode","permissionMode":"default","sessionId":"` + m.o.Session + `"}`)
}

// dialogue writes a prompt and its answer, with the bookkeeping that Claude Code writes around them: about 4.2 KB a turn in
// the mean.
func (m *maker) dialogue() {
	m.topic = []string{m.words.rare(), m.words.rare(), m.words.rare(), m.words.word()}
	text := m.words.sentence(4+m.rand.IntN(25), m.topic)
	m.prompt("user", userBody(quote(text)), text)
	m.bookkeeping()
	m.answer()
}

// answer writes texts and calls of the model.
func (m *maker) answer() {
	id := "msg_" + strconv.FormatUint(m.rand.Uint64(), 36)
	if m.one(3) {
		m.say(id, m.words.sentence(5+m.rand.IntN(12), m.topic))
	}
	for range m.rand.IntN(5) / 2 {
		m.call(id)
	}
	text := m.words.sentence(10+m.rand.IntN(60), m.topic)
	if m.one(3) {
		text += "\n\n" + m.words.code(2+m.rand.IntN(6), m.topic) + "\n\n" + m.words.sentence(8, m.topic)
	}
	m.say(id, text)
	m.raw(`{"type":"last-prompt","lastPrompt":` + quote(m.words.sentence(6, m.topic)) + `,"leafUuid":"` + m.last + `","sessionId":"` + m.o.Session + `"}`)
}

func (m *maker) say(id, text string) {
	_, _, end := m.record("assistant", assistantBody(id, textBlock(text)))
	m.said(text, nil, end)
}

// call writes the use of a tool and its result. A result is no part of a turn, but the first line of a failure.
func (m *maker) call(id string) {
	m.calls++
	call := "toolu_" + strconv.Itoa(m.calls)
	tool, input := m.tool()
	failure := m.one(12)
	if failure {
		tool.Error = "Error: " + m.words.word() + " failed"
	}
	wanted := tool
	if failure && strings.Contains(tool.Name, "tidepool") {
		wanted.Error = "failed" // what this program's own tools say is not kept
	}
	_, _, use := m.record("assistant", assistantBody(id, `{"type":"tool_use","id":"`+call+`","name":"`+tool.Name+`","input":`+input+`}`))
	m.said("", &wanted, use)
	output := m.words.sentence(5+m.rand.IntN(24), m.topic)
	result := `{"tool_use_id":"` + call + `","type":"tool_result","content":` + quote(output) + `}`
	if failure {
		result = `{"tool_use_id":"` + call + `","type":"tool_result","content":` + quote(tool.Error+"\n"+output) + `,"is_error":true}`
	}
	_, _, end := m.record("user", userBody("["+result+"]")+`"toolUseResult":{"stdout":`+quote(output)+`},`)
	if failure {
		m.said("", nil, end)
	}
}

// tool returns a call and its input.
func (m *maker) tool() (transcript.Tool, string) {
	file := m.o.Cwd + "/" + strings.ToLower(m.topic[0]) + ".go"
	switch m.rand.IntN(6) {
	case 0:
		return transcript.Tool{Name: "Read", File: file}, `{"file_path":` + quote(file) + `}`
	case 1:
		text := m.words.code(3, m.topic)
		return transcript.Tool{Name: "Write", File: file, Chars: utf8.RuneCountInString(text)},
			`{"file_path":` + quote(file) + `,"content":` + quote(text) + `}`
	case 2:
		return transcript.Tool{Name: "Grep", Pattern: m.topic[0], File: m.o.Cwd}, `{"pattern":` + quote(m.topic[0]) + `,"path":` + quote(m.o.Cwd) + `}`
	case 3:
		about := m.words.sentence(4, m.topic)
		return transcript.Tool{Name: "Agent", Type: "Explore", Description: about},
			`{"subagent_type":"Explore","description":` + quote(about) + `,"prompt":` + quote(m.words.sentence(20, m.topic)) + `}`
	case 4:
		return transcript.Tool{Name: "mcp__tidepool__search_conversations"}, `{"query":` + quote(m.words.sentence(3, m.topic)) + `}`
	}
	command := "go test ./" + m.topic[0] + " -run " + m.topic[1]
	return transcript.Tool{Name: "Bash", Command: command}, `{"command":` + quote(command) + `,"description":"tests"}`
}

// bookkeeping writes lines that no turn is read from.
func (m *maker) bookkeeping() {
	m.raw(`{"type":"api-request-shape","sessionId":"` + m.o.Session + `","shape":{"system":[{"type":"text","text":` +
		quote(m.words.sentence(16, m.topic)) + `}],"tools":[{"name":"Bash","input_schema":{"type":"object","properties":{"type":"user"}}}]}}`)
	m.raw(`{"type":"api-request","sessionId":"` + m.o.Session + `","params":{"model":"claude-opus-5-5"},"hash":"` +
		strings.Repeat(strconv.FormatUint(m.rand.Uint64(), 16), 6) + `"}`)
	m.record("attachment", `"attachment":{"type":"prompt_snapshot","systemPrompt":[`+quote(m.words.sentence(14, m.topic))+`]},`)
}
