package serve

import (
	"log/slog"
	"regexp"
	"time"

	"tidepool/internal/activity"
	"tidepool/internal/ask"
	"tidepool/internal/config"
	"tidepool/internal/golang/coverage"
	"tidepool/internal/hook"
	"tidepool/internal/logging"
	"tidepool/internal/server"
	"tidepool/internal/session"
	"tidepool/internal/work"
	"tidepool/lsp"
	"tidepool/protocol"
	"tidepool/tools"
	codetools "tidepool/tools/code"
	peopletools "tidepool/tools/people"
	scouttools "tidepool/tools/scout"
	teachtools "tidepool/tools/teach"
	worktools "tidepool/tools/work"
)

// The parts of a daemon that outlive its server: whoever made them ends them.
type parts struct {
	version   string // of this program
	place     protocol.Place
	settings  *config.Config
	languages []lsp.Language
	project   *lsp.Project
	judge     *Judge
	log       *slog.Logger
	logFile   *logging.File
	board     *ask.Board
	work      *work.Work
	closing   *work.Closing
	notifier  *notifier
	coverage  *coverage.Keeper // nil: no tests are measured
	trustee   trustee

	held *holding // made by assemble

	reloader *reloader // made by assemble
	people   *people   // made by assemble
}

// assemble joins the parts to what answers on the socket.
func (p *parts) assemble() (server.Options, error) {
	p.people = newPeople(p.board)
	conversations := session.New()
	box, err := p.toolbox(conversations)
	if err != nil {
		return server.Options{}, err
	}
	policy, err := NewPolicy(p.settings)
	if err != nil {
		return server.Options{}, err
	}
	done := new(activity.Log)
	hooks := p.hooks(policy, done, conversations, box)
	box.ended = hooks.CallEnded
	box.shown = p.people.show
	p.reloader = newReloader(config.Path(p.place.Project), p.settings, hooks, p.log)
	p.reloader.trustee, p.reloader.retrust = p.trustee, p.retrust
	p.held = &holding{
		trustee: p.trustee, dir: p.place.Project, project: p.project, work: p.work, coverage: p.coverage, settings: p.reloader.Untrusted,
	}
	status := p.reporter(hooks, conversations)
	options := limits(p.settings.Server)
	options.Hooks = p.reloader
	options.Tools = box
	options.LanguageServers = languageServers{p.project}
	options.Advice = tools.Instructions()
	options.Status = status
	options.Questions = questions{p.board, p.people}
	options.Feed = &feed{board: p.board, people: p.people, log: done, languages: status.languageServers}
	options.Observe = done.Note
	options.Version = p.version
	options.Log = p.log
	return options, nil
}

// retrust has everything that runs do so as the record of trust says now.
func (p *parts) retrust() {
	p.project.TrustChanged()
	p.closing.Begin()
}

// toolbox makes the tools.
func (p *parts) toolbox(conversations *session.Conversations) (*toolbox, error) {
	asking := &peopletools.Toolset{Board: p.board, Timeout: p.settings.Questions.Timeout, Notify: p.notifier.notify}
	root := p.place.Project
	return newToolbox(conversations, p.settings.AlwaysLoad,
		&codetools.Toolset{Project: p.project, Root: root},
		&scouttools.Toolset{Project: p.project, Root: root, Scorer: p.judge.scorer, Advice: p.judge.advice, Record: p.recorder(), Coverage: p.coverage},
		&teachtools.Toolset{Project: p.project, Root: root, Selector: p.judge.selector, Advice: p.judge.advice},
		asking,
		&worktools.Toolset{Work: p.work, Root: root, People: asking},
	)
}

// hooks makes what answers hook events.
func (p *parts) hooks(policy *hook.Policy, done *activity.Log, conversations *session.Conversations, box *toolbox) *hook.Handler {
	return hook.New(hook.Options{
		Conversations: conversations,
		Ended:         noteHook(done),
		Stopped:       p.stopped(),
		Policy:        policy,
		Files:         p.project,
		Log:           p.log,
		Root:          p.place.Project,
		Diagnoser:     diagnoser{p.project},
		Diagnostics:   newDiagnostics(p.settings),
		Greeting:      func() string { return p.greeting(box.List()) },
		Met:           p.people.met,
		Elicitation:   p.people.elicitation,
	})
}

// reporter makes what says how the daemon is.
func (p *parts) reporter(hooks *hook.Handler, conversations *session.Conversations) *reporter {
	return &reporter{
		version: p.version, place: p.place, started: time.Now(), project: p.project, languages: p.languages, hooks: hooks, conversations: conversations, settings: p.reloader.State,
		trouble: p.logFile.Trouble, board: p.board, closing: p.closing, work: p.work, coverage: p.coverage,
		trust: p.held.state,
	}
}

// stopped is told of the end of turns; nil if nothing is to be done then.
func (p *parts) stopped() func(dir string) {
	if !p.settings.Work.ReconstituteOnStop {
		return nil
	}
	return p.closing.Turn
}

// newWork makes the work of a place.
func newWork(place protocol.Place, settings config.Work, trusted func(dir string) bool) *work.Work {
	return work.New(work.Options{
		Dir:         place.Project,
		Trusted:     trusted,
		Pattern:     regexp.MustCompile(settings.BranchPattern), // the settings hold none that does not compile
		GitTime:     settings.Timeout,
		TrackerTime: settings.Timeout,
		HubTime:     settings.Timeout,
	})
}

// NewPolicy makes the policy that the settings describe.
func NewPolicy(settings *config.Config) (*hook.Policy, error) {
	rules := make([]hook.Rule, len(settings.Policy))
	for i, r := range settings.Policy {
		rules[i] = hook.Rule(r)
	}
	return hook.NewPolicy(rules, settings.PreToolUse == "allow")
}

func limits(s config.Server) server.Options {
	return server.Options{
		Workers:        s.Workers,
		MaxConnections: s.MaxConnections,
		CallTimeout:    s.CallTimeout,
		HookTimeout:    s.HookTimeout,
		LineTimeout:    s.LineTimeout,
		DrainTimeout:   s.DrainTimeout,
	}
}
