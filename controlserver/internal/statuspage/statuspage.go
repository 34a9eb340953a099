// Package statuspage writes for a person how a daemon is, and which hooks got no answer.
package statuspage

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tidepool/controlserver/internal/page"
	"tidepool/internal/logging"
	"tidepool/internal/wording"
	"tidepool/lsp"
	"tidepool/protocol"
)

// Print writes s for a person.
func Print(p *page.Page, s *protocol.StatusResponse) {
	printCode(p, s)
	p.Row(page.Plain, "calls", fmt.Sprintf("%d, %d in flight", s.Calls, s.CallsInFlight))
	p.Row(page.Plain, "clients", fmt.Sprintf("%d attached; hooks came from %s", s.Clients, wording.Count(s.Sessions, "session")))
	printRest(p, s)
	printHooks(p, s)
}

// PrintProject writes what s says of the project, without what its clients did.
func PrintProject(p *page.Page, s *protocol.StatusResponse) {
	printCode(p, s)
	printRest(p, s)
}

// printCode writes how the daemon and its language servers are.
func printCode(p *page.Page, s *protocol.StatusResponse) {
	p.Row(page.Good, "daemon", fmt.Sprintf("pid %d, version %s, up %v%s", s.PID, versionText(s), age(time.Duration(s.UptimeMS)*time.Millisecond), memoryText(s.MemoryBytes)))
	for _, problem := range s.Problems {
		p.Row(page.Bad, "PROBLEM", problem)
	}
	p.Row(page.Plain, "project", s.Project)
	printTrust(p, s.Trust)
	printAnswers(p, s)
	for _, l := range s.LanguageServers {
		p.Row(toneOf(l.State), l.Language, describeServer(l))
	}
	printMemory(p, s.Memory)
}

// versionText returns the version of the daemon, with the commit and build that it tells.
func versionText(s *protocol.StatusResponse) string {
	var beside []string
	if s.Commit != "" {
		beside = append(beside, "commit "+s.Commit)
	}
	if s.Build != "" {
		beside = append(beside, "build "+s.Build)
	}
	if len(beside) == 0 {
		return s.Version
	}
	return s.Version + " (" + strings.Join(beside, ", ") + ")"
}

// printRest writes how the daemon's other parts are.
func printRest(p *page.Page, s *protocol.StatusResponse) {
	if s.Questions > 0 {
		p.Row(page.Odd, "questions", fmt.Sprintf("%d wait for you: agent questions lists them", s.Questions))
	}
	printScorer(p, s.Scorer)
	printMeasuredTests(p, s)
	printConversations(p, s.Conversations)
	printRecall(p, s.Recall)
	printSearches(p, s.Searches)
	printSecrets(p, s.Secrets)
	printSandbox(p, s.Sandbox)
	printPolicy(p, s.Policy)
	printSources(p, s.Sources)
	printTracker(p, s.Tracker)
	printSettings(p, s.Settings)
}

// printScorer writes who rates what scout finds.
func printScorer(p *page.Page, s *protocol.ScorerState) {
	switch {
	case s == nil:
	case s.Model != "":
		p.Row(page.Plain, "scorer", fmt.Sprintf("%s: %s at %s", s.Name, s.Model, s.Endpoint))
	case s.Advice != "":
		p.Row(page.Plain, "scorer", s.Name+", as none is chosen; "+s.Advice)
	default:
		p.Row(page.Plain, "scorer", s.Name)
	}
}

// printTrust writes whether what the project brings along may run, and what does not.
func printTrust(p *page.Page, t *protocol.TrustState) {
	switch {
	case t == nil:
	case t.Reason != "":
		p.Row(page.Bad, "trust", "not trusted: "+t.Reason)
	case len(t.Held) > 0 && t.Trusted:
		p.Row(page.Odd, "trust", "trusted, but for another repository in it; held back: "+strings.Join(t.Held, ", ")+" (agent trust, in there)")
	case len(t.Held) > 0:
		p.Row(page.Odd, "trust", "not trusted, so held back: "+strings.Join(t.Held, ", ")+" (agent trust)")
	case t.Trusted:
		p.Row(page.Plain, "trust", "trusted")
	default:
		p.Row(page.Plain, "trust", "not trusted; nothing is held back")
	}
}

// printAnswers writes what an answer is worth that is asked for now.
func printAnswers(p *page.Page, s *protocol.StatusResponse) {
	running := slices.ContainsFunc(s.LanguageServers, func(l protocol.LanguageServer) bool { return l.State != string(lsp.Idle) })
	if len(s.LanguageServers) > 0 && !running {
		p.Row(page.Plain, "answers", "begin with the start of a language server: all are idle")
		return
	}
	p.Row(toneOf(s.Completeness), "answers", s.Completeness)
}

// printSources writes what the state of the work is asked of.
func printSources(p *page.Page, sources []protocol.WorkSource) {
	var texts []string
	for _, s := range sources {
		text := s.Name + " " + s.Version
		if s.Version == "" {
			text = s.Name + " (" + s.Reason + ")"
		}
		texts = append(texts, text)
	}
	if len(texts) > 0 {
		p.Row(page.Plain, "work", strings.Join(texts, ", "))
	}
}

func printTracker(p *page.Page, t *protocol.TrackerState) {
	switch {
	case t == nil:
	case t.Synced:
		p.Row(page.Plain, "issues", fmt.Sprintf("synced at %s by %s", clock(t.At), t.How))
	default:
		p.Row(page.Odd, "issues", fmt.Sprintf("not synced at %s: %s", clock(t.At), t.Reason))
	}
}

func printSettings(p *page.Page, s *protocol.SettingsState) {
	if s == nil {
		return
	}
	p.Row(page.Plain, "settings", "in force since "+clock(s.LoadedAt))
	for _, why := range s.Ignored {
		p.Row(page.Bad, "IGNORED", "newer settings: "+why)
	}
	for _, why := range s.Refused {
		p.Row(page.Odd, "REFUSED", why)
	}
	if s.Restart != nil {
		p.Row(page.Odd, "", "changed, but count from the next start on: "+strings.Join(s.Restart, ", "))
	}
}

func printHooks(p *page.Page, s *protocol.StatusResponse) {
	var counts []string
	for _, event := range slices.Sorted(maps.Keys(s.Hooks)) {
		counts = append(counts, fmt.Sprintf("%s %d", event, s.Hooks[event]))
	}
	if counts == nil {
		counts = []string{"none yet"}
	}
	p.Row(page.Plain, "hooks", strings.Join(counts, ", "))
	for _, o := range s.RecentHooks {
		tone := page.Plain
		if o.Decision != "pass" || o.Reason != "" || slices.ContainsFunc(o.Parts, func(p protocol.HookPart) bool { return p.Failed != "" }) {
			tone = page.Odd
		}
		p.Row(tone, clock(o.Time), describeOutcome(o))
	}
}

func describeOutcome(o protocol.HookOutcome) string {
	text := strings.TrimSpace(fmt.Sprintf("%s %s", o.Event, o.Tool)) + ": " + o.Decision
	if o.Rule > 0 {
		text += fmt.Sprintf(" by rule %d", o.Rule)
	}
	text += " in " + logging.Duration(time.Duration(o.TookUS)*time.Microsecond)
	text += describeParts(o.Parts)
	if o.Reason != "" {
		text += ": " + o.Reason
	}
	return strings.TrimPrefix(text, ": ")
}

// describeParts is "; the model reads 131 characters of trust, 88 of languages; diagnostics failed: it was late".
func describeParts(parts []protocol.HookPart) string {
	text, characters := "", "; the model reads %d characters of %s"
	for _, p := range parts {
		if p.Characters > 0 || p.Cut > 0 {
			text += fmt.Sprintf(characters, p.Characters, p.Name)
			characters = ", %d of %s"
		}
		if p.Cut > 0 {
			text += fmt.Sprintf(" (%d are cut)", p.Cut)
		}
	}
	for _, p := range parts {
		if p.Failed != "" {
			text += "; " + p.Name + " failed: " + p.Failed
		}
	}
	return text
}

// PrintFailures writes why hooks got no answer, each reason once.
func PrintFailures(p *page.Page, failures []protocol.HookFailure) {
	if len(failures) == 0 {
		return
	}
	p.Row(page.Odd, "failed", wording.Count(len(failures), "hook")+" got no answer; for each reason, the last time:")
	groups := kinds(failures)
	for _, k := range groups[:min(len(groups), ShownFailures)] {
		p.Row(page.Odd, clock(k.last), describeFailure(k))
	}
}

func describeFailure(k *failureKind) string {
	outcome := "passed unchecked"
	if k.closed {
		outcome = "refused"
	}
	var events []string
	for _, e := range k.events {
		events = append(events, string(e))
	}
	return fmt.Sprintf("%d × %s %s: %s", k.count, strings.Join(events, ", "), outcome, k.reason)
}

func describeServer(l protocol.LanguageServer) string {
	text := l.Command
	if l.Drafts {
		text += " for drafts"
	}
	text += " " + l.State
	if l.Total > 0 {
		text += fmt.Sprintf(", %d of %d", l.Done, l.Total)
	}
	if since, err := time.Parse(time.RFC3339, l.Since); err == nil {
		text += fmt.Sprintf(" for %v", age(time.Since(since)))
	}
	if l.PID > 0 {
		text += fmt.Sprintf(", pid %d%s", l.PID, memoryText(l.MemoryBytes))
	}
	if l.Restarts > 0 {
		text += fmt.Sprintf(", restarts: %d", l.Restarts)
	}
	if l.Completeness != "" && l.Completeness != l.State && l.State != "ready" && l.State != string(lsp.Idle) {
		text += ", answers " + l.Completeness
	}
	if len(l.Roots) > 1 {
		text += fmt.Sprintf(", %d projects in %s", len(l.Roots), wording.Count(len(l.Trees), "checkout"))
	}
	if l.Message != "" {
		text += ": " + l.Message
	}
	if l.Note != "" {
		text += "; " + l.Note
	}
	return text
}

// toneOf returns that of a state of a server or of answers.
func toneOf(state string) page.Tone {
	switch state {
	case "ready", "complete":
		return page.Good
	case "missing", "failed":
		return page.Bad
	case "idle":
		return page.Plain
	}
	return page.Odd
}

// memoryText returns what is known of a process's memory.
func memoryText(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf(", %d MB", max(1, bytes>>20))
}

// clock writes a time of the wire as a person's clock has it, with the date unless that is today.
func clock(timestamp string) string {
	t, err := time.Parse(time.RFC3339, timestamp)
	if err != nil {
		return timestamp
	}
	if t = t.Local(); t.Format(time.DateOnly) == time.Now().Format(time.DateOnly) {
		return t.Format(time.TimeOnly)
	}
	return t.Format("Jan _2 15:04")
}

func age(d time.Duration) time.Duration { return d.Round(time.Second) }
