package serve

import (
	"strings"

	"tidepool/controlserver/internal/questions"
	"tidepool/internal/changes"
	"tidepool/internal/config"
	"tidepool/internal/diagnostics"
	"tidepool/internal/hook"
	"tidepool/internal/policy"
	"tidepool/internal/recollect"
	"tidepool/internal/redact"
	"tidepool/internal/searchnote"
)

// hookParts returns the contributors to hooks in the order in which they are asked. A new one is a line here.
func (p *parts) hookParts(questions *questions.Service, reloader *reloader, held *untrusted, codeTools []string) []hook.Part {
	parts := []hook.Part{
		{Name: "settings", Contributor: reloader, Conduct: hook.Deciding}, // before those that follow them
		{Name: "questions", Contributor: questions, Conduct: hook.Deciding},
		{Name: "secrets", Contributor: p.secrets.native, Conduct: hook.Deciding}, // before a rule that allows, and before parts that wait
		{Name: "policy files", Contributor: p.policies, Conduct: hook.Deciding},  // before what decides by them
		{Name: "policy", Contributor: reloader.live.policy, Conduct: hook.Deciding},
		{Name: "trust", Contributor: held},
		{Name: "languages", Contributor: readyLanguages{p.project, p.languages, codeTools}, Conduct: hook.Inline},
		{Name: "recall", Contributor: p.memories.hooks},
		{Name: "journal", Contributor: recollect.CheckIn{Contributor: p.memories.hooks}, Conduct: hook.Inline},
		{Name: "execution", Contributor: p.execution},
		{Name: "conversations", Contributor: p.said, Conduct: hook.Inline},                          // which only notes a path
		{Name: "changes", Contributor: changes.Contributor{Files: p.project}, Conduct: hook.Inline}, // what is ready is worth less while they are looked at
		{Name: "diagnostics", Contributor: reloader.live.diagnostics},
		{Name: "search notes", Contributor: p.searchNotes, Conduct: hook.Inline}, // which bounds its own wait
	}
	if p.settings.Work.ReconstituteOnStop {
		parts = append(parts, hook.Part{Name: "tracker", Contributor: p.closing, Conduct: hook.Inline})
	}
	return parts
}

// live are the contributors that follow the settings while the daemon runs. Other settings count from its next start.
type live struct {
	policy      *policy.Engine
	diagnostics *diagnostics.Contributor
	recall      *recollect.Opener
	secrets     *redact.Contributor
	searchNotes *searchnote.Contributor
}

// live makes the contributors with the settings of the start.
func (p *parts) live() (live, error) {
	decided, err := NewPolicy(p.settings)
	return live{
		policy:      policy.NewEngine(decided, p.log),
		diagnostics: diagnostics.New(diagnoser{p.project}, p.place.Project, newDiagnostics(p.settings), p.log),
		recall:      p.memories.opener,
		secrets:     p.secrets.native,
		searchNotes: p.searchNotes,
	}, err
}

// take applies settings to all of them, or to none and returns an error.
func (l live) take(settings *config.Config) error {
	decided, err := NewPolicy(settings)
	if err != nil {
		return err
	}
	mode, err := redact.ParseMode(settings.Scrub.Native)
	if err != nil {
		return err
	}
	l.secrets.SetMode(mode)
	l.policy.Set(decided)
	l.diagnostics.Set(newDiagnostics(settings))
	l.searchNotes.Set(searchnote.Settings(settings.SearchNotes))
	l.recall.Enable(settings.Recall.Enabled)
	return nil
}

// IsLive reports whether a changed setting counts at once.
func IsLive(key string) bool {
	return key == "policy" || key == "policy.dirs" || key == "pre_tool_use" || key == "recall.enabled" || key == "scrub.native" || strings.HasPrefix(key, "diagnostics.") || strings.HasPrefix(key, "search_notes.")
}

// NewPolicy returns the policy of the settings, without those of files.
func NewPolicy(settings *config.Config) (*policy.Policy, error) {
	rules := make([]policy.Rule, len(settings.Policy))
	for i, r := range settings.Policy {
		rules[i] = policy.Rule(r)
	}
	return policy.New(rules, settings.PreToolUse == "allow")
}
