package transcripttest

import "strings"

// shape writes one of the things beside plain dialogue that a transcript may hold.
func (m *maker) shape() {
	m.topic = []string{m.words.rare(), m.words.rare()}
	shapes := []func(){
		m.blocks, m.queued, m.command, m.localCommand, m.noPrompts, m.growing, m.copies, m.compaction, m.back, m.sidechain, m.title,
		m.unreadable, m.unknown, m.handedOut, m.fork, func() {},
	}
	shapes[m.rand.IntN(len(shapes))]()
}

// some returns a few words.
func (m *maker) some() string { return m.words.sentence(3+m.rand.IntN(8), m.topic) }

// blocks: a prompt as blocks, with an image, behind what an editor and Claude Code added.
func (m *maker) blocks() {
	text := m.some() + " <b>\n" + m.some()
	content := `[{"type":"text","text":"<ide_opened_file>The user opened a.go</ide_opened_file>"},` +
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + strings.Repeat("QUJD", 50) + `"}},` +
		textBlock("<system-reminder>\n"+m.some()+"\n</system-reminder>\n\n"+text) + `]`
	m.prompt("user", userBody(content), text)
	m.answer()
}

// queued: a prompt that was typed while a tool ran.
func (m *maker) queued() {
	text := m.some()
	m.raw(`{"type":"queue-operation","operation":"enqueue","content":` + quote(text) + `,"sessionId":"` + m.o.Session + `"}`)
	m.prompt("attachment", `"attachment":{"type":"queued_command","prompt":`+quote(text)+`,"commandMode":"prompt","origin":{"kind":"human"}},`, text)
	m.answer()
}

// command: a slash command that the model carries out.
func (m *maker) command() {
	args := m.some()
	m.prompt("user", userBody(quote("<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>"+args+"</command-args>")),
		"/review "+args)
	m.record("user", `"isMeta":true,`+userBody("["+textBlock(m.some())+"]"))
	m.answer()
}

// localCommand: a slash command that Claude Code carries out itself.
func (m *maker) localCommand() {
	m.record("user", `"isMeta":true,`+userBody(quote("<local-command-caveat>"+m.some()+"</local-command-caveat>")))
	m.record("user", userBody(quote("<command-name>/model</command-name>\n            <command-message>model</command-message>\n            <command-args></command-args>")))
	m.record("user", userBody(quote("<local-command-stdout>"+m.some()+"</local-command-stdout>")))
}

// noPrompts: records where a prompt stands that nobody typed.
func (m *maker) noPrompts() {
	for _, content := range []string{
		quote("[Request interrupted by user]"), quote("<task-notification>\n" + m.some() + "</task-notification>"),
		quote("Stop hook feedback:\n- " + m.some()), "[" + textBlock("<system-reminder>"+m.some()+"</system-reminder>") + "]",
		quote("<memory-data>" + m.some() + "</memory-data>"), "[]", "null",
	} {
		m.record("user", userBody(content))
	}
	m.record("user", `"isMeta":true,`+userBody(quote(m.some())))
	m.record("user", `"origin":{"kind":"task-notification"},`+userBody(quote(m.some())))
	m.record("attachment", `"attachment":{"type":"queued_command","prompt":`+quote(m.some())+`,"commandMode":"task-notification"},`)
	m.record("attachment", `"attachment":{"type":"hook_additional_context","content":[`+quote(m.some())+`]},"rendered":[{"content":`+quote(m.some())+`}],`)
}

// growing: states of one text, each of which begins the next one, with a block of its own before them.
func (m *maker) growing() {
	m.open()
	id := "msg_" + m.uuid()
	m.record("assistant", assistantBody(id, `{"type":"thinking","thinking":`+quote(m.some())+`,"signature":"c2ln"}`))
	m.say(id, "First: "+m.some())
	whole := "Then " + m.some() + ". " + m.some()
	var end int64
	for _, size := range []int{5, len(whole) / 2, len(whole), len(whole) / 3} {
		_, _, end = m.record("assistant", assistantBody(id, textBlock(strings.TrimSpace(strings.ToValidUTF8(whole[:size], "")))))
	}
	m.said(whole, nil, end)
}

// open writes a prompt if there is none that an answer may follow.
func (m *maker) open() {
	if m.turn != len(m.parents)-1 || m.turn < 0 {
		text := m.some()
		m.prompt("user", userBody(quote(text)), text)
	}
}

// copies: a record that stands in the file twice.
func (m *maker) copies() {
	text := m.some()
	r := m.prompt("user", userBody(quote(text)), text)
	m.answer()
	m.raw(m.line(r))
}

// compaction: a new tree whose first record names one that is not in the file.
func (m *maker) compaction() {
	_, _, _ = m.record("system", `"subtype":"turn_duration","durationMs":12,`)
	former := m.last
	if m.one(2) {
		former = m.uuid()
	}
	m.last = ""
	m.record("system", `"logicalParentUuid":"`+former+`","subtype":"compact_boundary","content":"Conversation compacted",`)
	m.record("user", `"isCompactSummary":true,`+userBody(quote("This session is being continued from a previous conversation. "+m.some())))
}

// back: the next prompt follows an earlier turn, or none.
func (m *maker) back() {
	if len(m.parents) > 0 {
		m.rewind(m.rand.IntN(len(m.parents)+1) - 1)
	}
}

// sidechain: records of a subagent among those of its session, as former versions wrote them.
func (m *maker) sidechain() {
	if m.o.Parent != "" {
		return
	}
	task := record{uuid: m.uuid(), kind: "user", body: userBody(quote(m.some())), sidechain: true, at: m.clock}
	m.raw(m.line(task))
	m.raw(m.line(record{uuid: m.uuid(), parent: task.uuid, kind: "assistant", body: assistantBody("msg_s", textBlock(m.some())), sidechain: true, at: m.clock}))
}

// title: what somebody called the session.
func (m *maker) title() {
	m.raw(`{"type":"ai-title","aiTitle":` + quote(m.some()) + `,"sessionId":"` + m.o.Session + `"}`)
	m.raw(`{"type":"custom-title","customTitle":` + quote(m.some()) + `,"sessionId":"` + m.o.Session + `"}`)
}

// unreadable: lines that are no JSON.
func (m *maker) unreadable() {
	for _, line := range []string{"", strings.Repeat("\x00", 40), `{"type":"user","message":{"role":"user","content":"torn`, "[]", "\xff\xfe"} {
		m.raw(line)
	}
}

// unknown: types, keys and blocks of a version to come. A record of an unknown type is part of the tree.
func (m *maker) unknown() {
	m.raw(`{"type":"something-new","type2":{"type":"user"},"deep":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}`)
	m.record("progress", `"data":{"type":"user","message":`+quote(m.some())+`},`)
	m.record("assistant", `"message":{"id":"msg_u","content":[{"type":"hologram","text":`+quote(m.some())+`}]},`)
}

// handedOut: an answer with a block that an archive gave the model.
func (m *maker) handedOut() {
	m.open()
	before, after := m.some(), m.some()
	_, _, end := m.record("assistant", assistantBody("msg_"+m.uuid(), textBlock(before+" <memory-data id=\"1\">"+m.some()+"</memory-data> "+after)))
	m.said(before+"  "+after, nil, end)
}

// fork: turns that were copied from another session, with its name.
func (m *maker) fork() {
	m.copied = "11111111-2222-4333-8444-555555555555"
	m.dialogue()
	m.copied = ""
}
