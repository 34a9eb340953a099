package serve

import (
	"log/slog"
	"net/http"
	"regexp"
	"time"

	"tidepool/controlserver/internal/mcpsource"
	"tidepool/controlserver/internal/policywatch"
	"tidepool/controlserver/internal/questions"
	"tidepool/internal/activity"
	"tidepool/internal/ask"
	"tidepool/internal/config"
	"tidepool/internal/environ"
	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/coverage"
	"tidepool/internal/hook"
	"tidepool/internal/httpapi"
	"tidepool/internal/logging"
	"tidepool/internal/loopback"
	"tidepool/internal/mcpfeature"
	"tidepool/internal/mcphttp"
	"tidepool/internal/memory"
	"tidepool/internal/searchnote"
	"tidepool/internal/server"
	"tidepool/internal/session"
	"tidepool/internal/session/program"
	"tidepool/internal/state"
	"tidepool/internal/work"
	"tidepool/lsp"
	"tidepool/protocol"
	"tidepool/tools"
	"tidepool/tools/broker"
	codetools "tidepool/tools/code"
	"tidepool/tools/lang"
	peopletools "tidepool/tools/people"
	policytools "tidepool/tools/policy"
	scouttools "tidepool/tools/scout"
	teachtools "tidepool/tools/teach"
	worktools "tidepool/tools/work"
)

// The parts of a daemon that outlive its server: whoever made them ends them.
type parts struct {
	version       string // of this program
	commit        string // that it was built from; "" if unknown
	place         protocol.Place
	settings      *config.Config
	languages     []lsp.Language
	project       *lsp.Project
	judge         *Judge
	environment   []string // that the process was started with
	log           *slog.Logger
	logFile       *logging.File
	sent          *activity.Messages // to attached clients
	questionStore *ask.Store
	work          *work.Work
	closing       *work.TurnSync
	notifier      *questions.Notifier
	coverage      *coverage.Collector // nil: no tests are measured
	analysis      *analysis.Client
	trustee       trustState
	budget        memory.Budget
	said          *conversations
	memories      *memories
	secrets       *secrets
	execution     *execution
	code          *codetools.Toolset
	searchNotes   *searchnote.Contributor
	policies      *policywatch.Watch // made by assemble
	programs      *program.Sessions  // made by assemble
}

// assembled are the parts joined to what answers on the socket.
type assembled struct {
	options  server.Options // of what answers on the socket
	hooks    *hook.Router
	reloader *reloader
	mcp      *mcphttp.Handler
	api      http.Handler // answers what comes over HTTP
}

// assemble joins the parts to what answers on the socket, each to those that were made before it.
func (p *parts) assemble() (*assembled, error) {
	callers := callers{session.New(), hook.NewRecord(), questions.New(p.questionStore)}
	live, err := p.live()
	if err != nil {
		return nil, err
	}
	p.policies = watchPolicies(p.place, p.settings, live.policy, p.log)
	owner := programOwner{p.memories, p.execution, callers.conversations}
	p.programs = newPrograms(p.place, owner, p.log)
	box, err := p.toolbox(callers, owner)
	if err != nil {
		return nil, err
	}
	reloader := newReloader(config.Path(p.place.Project), p.settings, live, p.log)
	reloader.taken = func(settings *config.Config) { p.policies.Follow(settings.PolicyDirs) }
	held := &untrusted{
		trustee: p.trustee, dir: p.place.Project, project: p.project, work: p.work, coverage: p.coverage, settings: reloader.Untrusted,
	}
	done := new(activity.Log)
	hooks := hook.New(hook.Options{
		Parts:         p.hookParts(callers.questions, reloader, held, box.codeTools),
		Conversations: callers.conversations,
		Record:        callers.record,
		Ended:         noteHook(done),
		Log:           p.log,
	})
	status := p.reporter(callers, reloader, held)
	options := limits(p.settings.Server)
	options.Hooks = hooks
	options.Tools = box
	options.Features = p.features(box, status)
	options.LanguageServers = languageServers{p.project}
	overMCP := mcphttp.New(mcphttp.Options{Version: p.version, Prefix: loopback.Prefix})
	more := box.routes()
	more["/mcp"], more["/sse"] = overMCP, overMCP
	api := httpapi.New(httpapi.Options{Recall: overHTTP{p.memories}, Do: server.Do, Started: time.Now(), More: more})
	options.HTTP = loopback.RefusePages(api)
	options.Advice = tools.Instructions()
	options.Status = status
	options.Scrubber = p.secrets.native
	options.Questions = callers.questions
	options.Feed = &feed{questionStore: p.questionStore, questions: callers.questions, log: done, languages: status.languageServers}
	reloader.note = p.sent.Note
	options.Messages = &messages{p.sent, reloader.State}
	options.Observe = done.Note
	options.Version = p.version
	options.Log = p.log
	return &assembled{options, hooks, reloader, overMCP, api}, nil
}

// retrust applies the present record of trust to everything that runs.
func (p *parts) retrust() {
	p.project.TrustChanged()
	p.closing.Begin()
}

// newCode makes the toolset that answers about the code. The others share its memory.
func (p *parts) newCode() *codetools.Toolset {
	memory := &lang.Memory{Coverage: p.coverage}
	memory.Go.Analysis = p.analysis
	return &codetools.Toolset{Project: p.project, Root: p.place.Project, Memory: memory}
}

// toolbox makes the tools. The policies count for those that act unasked.
func (p *parts) toolbox(callers callers, owner programOwner) (*toolbox, error) {
	asking := &peopletools.Toolset{Asker: p.questionStore, Timeout: p.settings.Questions.Timeout, Notify: p.notifier.Notify}
	root, memory := p.place.Project, p.code.Memory
	code := []tools.Toolset{
		p.code,
		&scouttools.Toolset{Project: p.project, Root: root, Memory: memory, Scorer: p.judge.scorer, Advice: p.judge.advice, Record: p.recorder()},
		&teachtools.Toolset{Project: p.project, Root: root, Memory: memory, Selector: p.judge.selector, Advice: p.judge.advice},
	}
	box, err := newToolbox(callers, p.settings.AlwaysLoad, p.memories.oldNames(owner, p.programs), code,
		asking,
		&worktools.Toolset{Work: p.work, Root: root, People: asking},
		p.said.tools(),
		p.memories.tools(root, func() bool { return p.trustee.Trusted(root) }),
		p.memories.journal(),
		p.execution.tools(p.policies, asking),
		p.skills(p.policies, asking),
		&policytools.Toolset{Policies: p.policies},
	)
	if err != nil {
		return nil, err
	}
	box.programs = p.programs
	p.execution.offered = func(dir *state.Dir) *broker.Broker {
		return broker.New(broker.Options{
			Dir: dir, Tools: box.registry, Untrusted: append([]string{"ref_content"}, box.codeTools...), Policy: p.policies,
			Trusted: func() bool { return p.trustee.Trusted(root) }, CallTimeout: p.settings.Server.CallTimeout, Log: p.log,
		})
	}
	return box, nil
}

// features makes the prompts and the resources.
func (p *parts) features(box *toolbox, status *reporter) *mcpfeature.Service {
	return mcpfeature.New(mcpfeature.Options{
		References:    &mcpsource.References{Caller: box.requester, Kept: p.execution.references},
		Conversations: &mcpsource.Conversations{Archive: p.said.source},
		Memories:      p.memories.source(),
		Symbols:       &mcpsource.Symbols{Caller: box.requester, Project: p.project},
		Reader:        &mcpsource.Reader{Caller: box.requester, Tools: box.registry, Rules: p.policies},
		Status:        status.text,
	})
}

// reporter makes the source of the daemon's status.
func (p *parts) reporter(callers callers, reloader *reloader, held *untrusted) *reporter {
	return &reporter{
		version: p.version, commit: p.commit, build: ownBuild(), place: p.place, started: time.Now(), project: p.project, languages: p.languages, record: callers.record,
		conversations: callers.conversations, settings: reloader.State, trouble: p.logFile.Trouble, questionStore: p.questionStore,
		closing: p.closing, work: p.work, coverage: p.coverage, trust: held.state, said: p.said.state,
		recall: p.memories.state, secrets: p.secrets.state, sandbox: p.execution.state, policies: p.policies.State, budget: p.budget,
		searches: p.searchNotes,
		scorer:   p.judge.State(p.settings.Scout), configuration: func() *protocol.ConfigurationState {
			return &protocol.ConfigurationState{Settings: reloader.Settings(), Environment: environ.Harmless(p.environment, nil)}
		},
	}
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
