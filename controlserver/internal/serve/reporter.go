package serve

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"tidepool/controlserver/internal/page"
	"tidepool/controlserver/internal/statuspage"
	"tidepool/internal/ask"
	"tidepool/internal/golang/coverage"
	"tidepool/internal/hook"
	"tidepool/internal/memory"
	"tidepool/internal/searchnote"
	"tidepool/internal/session"
	"tidepool/internal/work"
	"tidepool/lsp"
	"tidepool/protocol"
)

// A reporter returns the daemon's status.
type reporter struct {
	version       string // of this program
	commit        string // that it was built from; "" if unknown
	build         string // the [protocol.Build] of its file at the start
	place         protocol.Place
	started       time.Time
	project       *lsp.Project
	languages     []lsp.Language
	record        *hook.Record
	conversations *session.Conversations
	settings      func() *protocol.SettingsState
	trouble       func() error // why the log cannot be written, or nil
	questionStore *ask.Store
	closing       *work.TurnSync
	work          *work.Work
	coverage      *coverage.Collector // nil: no tests are measured
	trust         func(ctx context.Context) *protocol.TrustState
	said          func(ctx context.Context) *protocol.ConversationsState
	recall        func(ctx context.Context) *protocol.RecallState
	secrets       func() *protocol.SecretsState
	sandbox       func() *protocol.SandboxState
	policies      func() *protocol.PolicyState
	budget        memory.Budget
	searches      *searchnote.Contributor
	scorer        *protocol.ScorerState
	configuration func() *protocol.ConfigurationState
}

// Status returns the status. With WaitReady it waits until the language servers are ready or have failed.
func (r *reporter) Status(ctx context.Context, asked *protocol.StatusRequest) *protocol.StatusResponse {
	if asked.WaitReady {
		_ = r.project.WaitReady(ctx) // why they are not shows in their rows
	}
	occupied := r.memory(ctx) // first: the rows of the servers have what it measures
	completeness := r.project.Completeness()
	servers := r.servers(ctx, completeness)
	response := &protocol.StatusResponse{
		PID:             os.Getpid(),
		Version:         r.version,
		Commit:          r.commit,
		Build:           r.build,
		Project:         r.place.Project,
		StartedAt:       r.started.UTC().Format(time.RFC3339),
		UptimeMS:        time.Since(r.started).Milliseconds(),
		Ready:           ready(servers),
		Completeness:    string(completeness.State),
		LanguageServers: servers,
		Hooks:           r.record.Counts(),
		Sessions:        r.conversations.Sessions(),
		MemoryBytes:     memory.Resident(ctx, os.Getpid()),
		RecentHooks:     outcomes(r.record.Outcomes()),
		Settings:        r.settings(),
		Goroutines:      runtime.NumGoroutine(),
		Problems:        r.problems(),
		Questions:       r.openQuestions(),
		Tracker:         r.tracker(),
		Sources:         r.sources(),
		MeasuredTests:   r.measuredTests(),
		Trust:           r.trust(ctx),
		Conversations:   r.said(ctx),
		Recall:          r.recall(ctx),
		Secrets:         r.secrets(),
		Sandbox:         r.sandbox(),
		Policy:          r.policies(),
		Memory:          occupied,
		Searches:        searchState(r.searches),
		Scorer:          r.scorer,
	}
	if asked.Configuration {
		response.Configuration = r.configuration()
	}
	return response
}

// othersShown is how many of the processes are named that are neither the daemon's own nor a language server's.
const othersShown = 5

// memory returns what the daemon and all that it has started occupy.
func (r *reporter) memory(ctx context.Context) *protocol.MemoryState {
	usage := r.project.Memory(ctx)
	state := &protocol.MemoryState{BudgetBytes: r.budget.Bytes, BudgetReason: r.budget.Reason, OccupiedBytes: usage.Total}
	if len(r.budget.Doubts) > 0 {
		state.BudgetReason += "; " + strings.Join(r.budget.Doubts, "; ")
	}
	occupants := append([]lsp.Occupant{{Name: "daemon", Bytes: usage.Own}}, usage.Servers...)
	for _, o := range append(occupants, usage.Others[:min(len(usage.Others), othersShown)]...) {
		state.Occupants = append(state.Occupants, protocol.MemoryOccupant(o))
	}
	if usage.Stuck {
		state.Stuck = "nothing can be stopped now: each server is in use, was asked just now, or needs what it occupies. " +
			"Raise memory.budget, or switch off a language that you do not need"
	}
	return state
}

// text returns the status for a model. What sessions did is not in it.
func (r *reporter) text(ctx context.Context) (string, error) {
	var text strings.Builder
	p := page.New(&text)
	statuspage.PrintProject(p, r.Status(ctx, &protocol.StatusRequest{}))
	return text.String(), p.Err()
}

func (r *reporter) openQuestions() int {
	list, _ := r.questionStore.List()
	return len(slices.DeleteFunc(list, func(q protocol.QuestionRecord) bool { return q.State != protocol.QuestionOpen }))
}

func (r *reporter) tracker() *protocol.TrackerState {
	last := r.closing.Last()
	if last.At.IsZero() {
		return nil
	}
	reason := last.Reason
	if last.Hint != "" {
		reason += ": " + last.Hint
	}
	return &protocol.TrackerState{
		At: last.At.UTC().Format(time.RFC3339), TookMS: last.Took.Milliseconds(), Synced: last.Synced, How: last.How, Reason: reason,
	}
}

func (r *reporter) sources() []protocol.WorkSource {
	var list []protocol.WorkSource
	for _, s := range r.work.Sources() {
		list = append(list, protocol.WorkSource(s))
	}
	return list
}

// ready reports whether nothing is gained by waiting. A server that is not installed, or must not start, counts only if there is no
// other. One that is idle counts as ready: it starts with the next question.
func ready(servers []protocol.LanguageServer) bool {
	some := false
	for _, s := range servers {
		if s.Drafts {
			continue
		}
		switch lsp.ServerState(s.State) {
		case lsp.Ready, lsp.Idle:
			some = true
		case lsp.Missing, lsp.Untrusted:
		default:
			return false
		}
	}
	return some
}

// problems returns what the daemon cannot do.
func (r *reporter) problems() []string {
	if err := r.trouble(); err != nil {
		return []string{err.Error()}
	}
	return nil
}

func outcomes(latest []hook.Outcome) []protocol.HookOutcome {
	list := make([]protocol.HookOutcome, len(latest))
	for i, o := range latest {
		list[i] = protocol.HookOutcome{
			Time:     o.Time.UTC().Format(time.RFC3339),
			Event:    o.Event,
			Tool:     o.Tool,
			Decision: o.Decision,
			Rule:     o.Rule,
			Reason:   o.Reason,
			TookUS:   o.Took.Microseconds(),

			ToolUseID:  o.ToolUseID,
			CallUS:     o.CallTook.Microseconds(),
			CallFailed: o.CallFailed,

			Parts: partsOf(o.Contributions),
		}
	}
	return list
}

func partsOf(contributions []hook.Contribution) (list []protocol.HookPart) {
	for _, c := range contributions {
		list = append(list, protocol.HookPart{Name: c.Part, Decided: c.Decided, Characters: c.Characters, Cut: c.Cut, Failed: c.Failed})
	}
	return list
}

// languageServers returns the rows of the status, from memory.
func (r *reporter) languageServers() []protocol.LanguageServer {
	return r.servers(context.Background(), r.project.Completeness())
}

func (r *reporter) servers(ctx context.Context, completeness lsp.Completeness) []protocol.LanguageServer {
	rows := []protocol.LanguageServer{}
	for _, s := range r.project.Status() {
		row := protocol.LanguageServer{
			Language: s.Language,
			Command:  r.program(s.Language),
			PID:      s.PID,
			State:    string(s.State),
			Since:    s.Since.UTC().Format(time.RFC3339),
			Restarts: s.Restarts,
			Message:  s.Message,

			MemoryBytes: s.Memory,
			Trees:       s.Trees,
			Roots:       s.Roots,
			Note:        s.Note,
			Drafts:      s.Drafts,
		}
		if s.PID > 0 && s.Memory == 0 { // not weighed yet
			row.MemoryBytes = memory.Resident(ctx, s.PID)
		}
		for _, c := range completeness.Servers {
			if !s.Drafts && c.Language == s.Language && slices.Contains(s.Trees, r.place.Project) {
				describe(&row, s, c)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func (r *reporter) program(language string) string {
	i := slices.IndexFunc(r.languages, func(l lsp.Language) bool { return l.ID == language })
	return r.languages[i].Command[0]
}

// describe adds to a row the state of the server's answers.
func describe(row *protocol.LanguageServer, s lsp.ServerStatus, c lsp.ServerCompleteness) {
	row.Completeness = string(c.State)
	row.Done, row.Total = c.Done, c.Total
	if s.State == lsp.Ready && c.State == lsp.Partial {
		row.State = string(lsp.Partial)
	}
}
