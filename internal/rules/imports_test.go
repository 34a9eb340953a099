package rules

import (
	"encoding/json"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// A goPackage is what go list tells of one package.
type goPackage struct {
	ImportPath string
	Name       string
	Doc        string
	Imports    []string
	Deps       []string
	GoFiles    []string
}

func goList(t *testing.T, patterns ...string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Name,Doc,Imports,Deps,GoFiles"}, patterns...)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v", patterns, err)
	}
	var list []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p goPackage
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// everybodys is what any package may import: how messages are worded, by functions of texts and errors alone.
const everybodys = "internal/wording"

// arrows says which of our packages a package may import, by path patterns
// below the module. What stands nowhere may import nothing of ours, so a new
// package needs a line here and a thought.
var arrows = map[string][]string{
	"agent":         {"protocol", "internal/unixsock", "internal/environ", "internal/state", "internal/fingerprint", "internal/credential", "internal/sandbox/confine", "internal/dialog", "internal/usage"},
	"controlserver": {"protocol", "internal/logging", "controlserver/internal/serve", "controlserver/internal/command", "controlserver/internal/conversations", "controlserver/internal/memories", "controlserver/internal/cmddoc", "controlserver/internal/initialize", "controlserver/internal/upgrade"},
	// Here capabilities meet; nothing below knows that they do. What a daemon is made of a command asks serve, which knows no command.
	"controlserver/internal/serve": {
		"protocol", "tools", "tools/*", "lsp", "scout", "scout/gemma", "scout/training", "teach", "teach/gemma", "internal/*", "internal/golang/*",
		"internal/conversation/tail", "internal/recall/memory", "internal/recall/team", "internal/recall/extractor", "internal/session/program",
		"controlserver/internal/questions", "controlserver/internal/archive", "controlserver/internal/mcpsource", "controlserver/internal/page",
		"controlserver/internal/policywatch", "controlserver/internal/statuspage",
	},
	"controlserver/internal/mcpsource": {
		"protocol", "lsp", "tools", "internal/conversation", "internal/mcpfeature", "internal/policy", "internal/recall", "internal/recall/memory", "internal/ref",
		"internal/session",
	},
	"controlserver/internal/command": {
		"protocol", "lsp", "scout", "scout/gemma", "scout/render", "scout/training", "internal/*", "internal/golang/analysis/worker", "internal/golang/wasmtest", "internal/recall/memory", "internal/sandbox/confine", "internal/setup/client",
		"controlserver/internal/serve", "controlserver/internal/ui", "controlserver/internal/page", "controlserver/internal/statuspage",
		"controlserver/internal/policypage", "controlserver/internal/policywatch",
	},
	"controlserver/internal/cmddoc": {"protocol", "internal/usage"},
	"controlserver/internal/initialize": {
		"protocol", "controlserver/internal/command", "controlserver/internal/serve", "internal/config", "internal/daemon", "internal/git",
		"internal/install", "internal/logging", "lsp", "internal/ollama",
		"internal/recall", "internal/setup", "internal/setup/client", "internal/state", "internal/trust",
	},
	"controlserver/internal/upgrade":    {"protocol", "controlserver/internal/command", "internal/daemon", "internal/logging"},
	"controlserver/internal/policypage": {"protocol", "internal/policy", "controlserver/internal/page"},
	"controlserver/internal/conversations": {
		"protocol", "controlserver/internal/command", "controlserver/internal/archive", "controlserver/internal/browser", "controlserver/internal/serve",
		"internal/conversation", "internal/conversation/quote", "internal/logging", "tools", "tools/conversation",
	},
	"controlserver/internal/memories": {
		"protocol", "controlserver/internal/command", "controlserver/internal/page", "controlserver/internal/serve", "internal/logging",
		"internal/moment", "internal/recall", "internal/recall/evidence", "internal/recall/memory", "internal/recall/team", "internal/scrub",
	},
	"controlserver/internal/statuspage":  {"protocol", "lsp", "internal/logging", "internal/state", "internal/wording", "controlserver/internal/page"},
	"controlserver/internal/questions":   {"protocol", "internal/ancestry", "internal/ask", "internal/hook", "internal/server", "internal/state"},
	"controlserver/internal/policywatch": {"protocol", "internal/hook", "internal/policy", "internal/policyfile", "internal/state"},
	"controlserver/internal/archive":     {"internal/config", "internal/conversation", "internal/conversation/quote", "internal/trust"},
	"controlserver/internal/browser":     {"internal/conversation", "internal/conversation/quote"},
	"controlserver/internal/ui":          {"protocol", "internal/ask"},
	"controlserver/internal/page":        {"internal/logging"},
	"internal/checkout":                  {"protocol", "internal/daemontest", "internal/trust"},
	"internal/daemontest":                {"protocol", "internal/daemon", "internal/server", "internal/trust", "internal/unixsock"},
	"lsp":                                {"lsp/internal/*"},
	"internal/ancestry/ancestrytest":     {"internal/ancestry"},
	// The registry knows no toolset; each toolset knows it.
	"tools":              {"internal/session", "lsp", "protocol", "tools/internal/excerpt"},
	"tools/code":         {"lsp", "tools", "tools/lang", "tools/internal/page", "tools/internal/query", "tools/internal/excerpt"},
	"tools/conversation": {"internal/conversation", "internal/conversation/quote", "internal/moment", "tools"},
	"tools/execution": {
		"internal/audit", "internal/policy", "internal/preview", "internal/protected", "internal/ref", "internal/sandbox", "internal/scrub",
		"protocol", "tools", "tools/broker", "tools/people",
	},
	"tools/catalogue": {"protocol", "tools"},
	"tools/broker":    {"internal/policy", "internal/session", "internal/state", "protocol", "tools", "tools/catalogue"},
	"tools/journal":   {"internal/journal", "internal/moment", "tools"},
	"tools/memory":    {"internal/claudememory", "internal/fulltext", "internal/moment", "internal/recall", "internal/recall/memory", "tools"},
	"tools/oldnames":  {"internal/journal", "internal/moment", "internal/recall", "internal/recall/memory", "tools"},
	"tools/policy":    {"internal/policy", "protocol", "tools"},
	"tools/people":    {"internal/ask", "protocol", "tools"},
	"tools/scout": {
		"lsp", "scout", "scout/render", "tools", "tools/internal/graph", "tools/lang", "tools/internal/page",
		"tools/internal/query", "tools/internal/excerpt",
	},
	"tools/skill":         {"internal/audit", "internal/policy", "internal/scrub", "internal/skill", "protocol", "tools", "tools/people"},
	"tools/teach":         {"internal/lexer", "lsp", "teach", "tools", "tools/lang", "tools/internal/page", "tools/internal/query", "tools/internal/excerpt"},
	"tools/work":          {"internal/ask", "internal/work", "tools", "tools/internal/page", "tools/internal/excerpt", "tools/people"},
	"tools/internal/page": {"lsp", "tools/internal/query", "tools/internal/excerpt"},
	"tools/lang":          {"internal/golang/coverage", "lsp", "tools/internal/graph", "tools/internal/query", "tools/internal/lang/*"},
	"scout":               {"scout/intent"},
	"scout/render":        {"internal/mermaid", "scout"},
	"teach":               {"internal/mermaid"},
	"scout/gemma":         {"scout", "internal/ollama"},
	"scout/training":      {"scout", "internal/state"},
	"teach/gemma":         {"teach", "internal/ollama"},
	// Questions about code do not know what a language answers, nor do the walks that are made of such questions. Languages
	// know both, and never each other: tools says which of them is asked.
	"tools/internal/query":           {"lsp", "internal/lexer", "tools/internal/excerpt"},
	"tools/internal/graph":           {"lsp", "scout", "internal/lexer", "tools/internal/query", "tools/internal/excerpt"},
	"tools/internal/lang/typescript": {"lsp", "scout", "internal/lexer", "tools/internal/query", "tools/internal/graph", "tools/internal/excerpt"},
	"tools/internal/lang/python":     {"lsp", "scout", "internal/lexer", "tools/internal/query", "tools/internal/graph", "tools/internal/excerpt"},
	"tools/internal/lang/clang":      {"lsp", "scout", "internal/lexer", "internal/macro", "tools/internal/query", "tools/internal/graph", "tools/internal/excerpt"},
	"tools/internal/lang/generic":    {"lsp", "scout", "internal/lexer", "tools/internal/query", "tools/internal/graph", "tools/internal/excerpt"},
	// The package for Go also asks the analysis process and the measured coverage of tests, which no other language has here.
	"tools/internal/lang/golang": {
		"lsp", "scout", "internal/golang/syntax", "internal/golang/coverage", "internal/golang/analysis", "internal/golang/fact",
		"tools/internal/query", "tools/internal/graph", "tools/internal/excerpt", "tools/internal/lang/golang/edit",
		"tools/internal/lang/golang/typing",
	},
	"tools/internal/lang/golang/typing": {"internal/golang/goroot", "internal/golang/syntax", "lsp", "tools/internal/query"},
	"tools/internal/lang/golang/edit":   {"internal/golang/syntax", "lsp", "scout", "tools/internal/graph", "tools/internal/query"},
	// What reads files reads them through one cache.
	"internal/golang/syntax": {"internal/filecache"},
	// The analysis process alone type-checks: what that takes must never be the daemon's.
	"internal/golang/analysis/worker": {
		"internal/diskcache", "internal/golang/analysis", "internal/golang/fact", "internal/golang/packages", "internal/golang/reach", "internal/golang/syntax",
		"internal/sandbox/confine",
	},
	"internal/golang/analysis": {"internal/diskcache", "internal/golang/fact", "internal/golang/process", "internal/memory"},
	"internal/golang/packages": {"internal/filecache", "internal/golang/fact", "internal/golang/goroot", "internal/golang/syntax"},
	"internal/golang/reach":    {"internal/golang/fact", "internal/golang/packages"},
	"internal/lexer":           {"internal/filecache"},
	"internal/macro":           {"internal/lexer"},
	// Whoever runs git does so without trusting the repository.
	"internal/work":  {"protocol", "internal/git", "internal/hook"},
	"internal/git":   {"internal/environ"},
	"internal/trust": {"internal/git"},
	// The archive joins what its leaves know apart from each other: transcripts, words, secrets, databases.
	"internal/conversation":              {"internal/conversation/*", "internal/transcript", "internal/fulltext", "internal/scrub", "internal/sqlite"},
	"internal/sqlite":                    {"internal/netfs"},
	"internal/recall/store":              {"internal/recall/memory", "internal/sqlite"},
	"internal/recall":                    {"internal/fulltext", "internal/git", "internal/netfs", "internal/recall/*", "internal/scrub", "internal/sqlite", "internal/trust"},
	"internal/transcript/transcripttest": {"internal/transcript"},
	"internal/conversation/tail":         {"internal/transcript", "internal/netfs"},
	"internal/conversation/store":        {"internal/sqlite", "internal/transcript"},
	"internal/journal":                   {"internal/fulltext", "internal/outcome", "internal/recall/evidence", "internal/recall/memory", "internal/recall/store", "internal/scrub", "internal/sqlite"},
	"internal/claudememory":              {"internal/fulltext", "internal/git"},
	"internal/recall/memory":             {},
	"internal/recall/evidence":           {"internal/fulltext"},
	"internal/recall/quality":            {"internal/fulltext", "internal/knownitem", "internal/recall/evidence", "internal/recall/index", "internal/recall/memory"},
	"internal/recall/index":              {"internal/fulltext", "internal/recall/evidence", "internal/recall/memory"},
	"internal/recall/team":               {"internal/fulltext", "internal/recall/evidence", "internal/recall/index", "internal/recall/memory", "internal/scrub"},
	"internal/recall/extract":            {"internal/fulltext", "internal/recall/memory", "internal/outcome", "internal/shell"},
	"internal/recall/extractor":          {"internal/ollama", "internal/recall/extract", "internal/recall/memory", "internal/scrub"},
	"internal/outcome":                   {"internal/shell"},
	"internal/preview/recorded/record":   {"internal/preview/recorded"},
	// One package opens what is below .tidepool; whoever keeps something there asks it.
	"lsp/internal/process": {"internal/state"},
	// A language knows what a session is, and no other language.
	"lsp/internal/golang":      {"lsp/internal/session", "lsp/internal/text", "lsp/internal/disk"},
	"lsp/internal/typescript":  {"lsp/internal/session", "lsp/internal/text", "lsp/internal/disk"},
	"lsp/internal/python":      {"lsp/internal/session", "lsp/internal/text", "lsp/internal/disk", "lsp/internal/toml"},
	"lsp/internal/clang":       {"lsp/internal/clang/shard", "lsp/internal/session", "lsp/internal/text", "lsp/internal/disk", "internal/lexer", "internal/macro", "internal/state"},
	"lsp/internal/clang/shard": {"lsp/internal/text"},
	"lsp/internal/rust":        {"lsp/internal/session", "lsp/internal/text", "lsp/internal/disk", "lsp/internal/toml"},
	"lsp/internal/haskell":     {"lsp/internal/session", "lsp/internal/text", "lsp/internal/disk"},
	"lsp/internal/workspace":   {"internal/git", "lsp/internal/session", "lsp/internal/text", "lsp/internal/disk", "lsp/internal/process"},
	"lsp/internal/proxy":       {"lsp/internal/workspace", "lsp/internal/session", "lsp/internal/text", "lsp/internal/disk", "lsp/internal/process"},
	"lsp/internal/draft":       {"lsp/internal/session", "lsp/internal/text"},
	"lsp/internal/session":     {"lsp/internal/text", "lsp/internal/disk", "lsp/internal/process"},
	"internal/config":          {"internal/state"},
	"internal/audit":           {"internal/state"},
	"internal/doctor":          {"internal/state"},
	"internal/golang/coverage": {"internal/diskcache"},
	"internal/diskcache":       {"internal/state"},
	"internal/logging":         {"internal/state"},
	"internal/fingerprint":     {"internal/state"},
	"internal/credential":      {"internal/environ"},
	"internal/scrub":           {"internal/fingerprint"},
	"internal/ollama":          {"internal/state"},
	"internal/golang/wasmtest": {"internal/golang/process", "internal/sandbox/confine", "internal/state"},
	"internal/ref":             {"internal/state"},
	// What decides how commands are confined, and the process that does it, which a program with few imports can be.
	"internal/skill":                       {"internal/state"},
	"internal/sandbox":                     {"internal/sandbox/confine", "internal/state", "internal/trust", "internal/protected"},
	"internal/sandbox/escape":              {"internal/sandbox", "internal/sandbox/sandboxtest"},
	"internal/sandbox/escape/table":        {"internal/sandbox/escape"},
	"internal/sandbox/sandboxtest/program": {"internal/sandbox/confine"},
	// Fakes and shared tests.
	"scout/scouttest":              {"scout"},
	"tools/internal/toolstest":     {"internal/golang/analysis", "internal/golang/analysis/worker", "lsp", "lsp/lsptest", "internal/ask", "internal/lexer", "protocol"},
	"tools/internal/lang/langtest": {"internal/golang/analysis", "internal/golang/fact", "lsp", "scout", "tools/lang", "tools/internal/*"},
	"internal/mcptest/conformance": {"protocol", "internal/server", "internal/daemontest", "internal/mcpfeature", "internal/mcphttp", "internal/loopback"},
	// What trains the weights that a package embeds.
	"cmd/train/reach":             {"internal/golang/fact", "internal/golang/reach", "internal/golang/packages", "internal/golang/syntax"},
	"cmd/train/intent":            {"scout/intent"},
	"cmd/train/recall":            {"internal/ollama", "internal/recall/evidence", "internal/recall/quality"},
	"cmd/train/words":             {"internal/fulltext"},
	"cmd/train/ranking":           {"internal/conversation", "internal/fulltext", "internal/knownitem"},
	"internal/knownitem":          {"internal/conversation", "internal/fulltext", "internal/git"},
	"internal/conversation/quote": {"internal/conversation"},
	// The conversations and the router of hooks stand below the capabilities, which import them.
	"internal/session": {"protocol"},
	// What belongs to a program's session, it asks its owner to end.
	"internal/session/program": {"internal/state"},
	"internal/hook":            {"protocol", "internal/hook/translate", "internal/session"},
	"internal/hook/translate":  {"protocol"},
	// Contributors to hooks import the router for its Contributor interface.
	"internal/policy":      {"protocol", "internal/hook", "internal/session"},
	"internal/policyfile":  {"internal/config", "internal/policy", "internal/state"},
	"internal/recollect":   {"protocol", "internal/conversation/tail", "internal/hook", "internal/journal", "internal/outcome", "internal/recall", "internal/recall/*", "internal/transcript"},
	"internal/changes":     {"protocol", "internal/hook"},
	"internal/diagnostics": {"protocol", "internal/hook", "internal/session"},
	"internal/redact":      {"protocol", "internal/hook", "internal/scrub"},
	"internal/searchnote":  {"protocol", "internal/hook", "internal/session", "internal/shell"},
	// These know the wire and the state directory at most, and never each other.
	"internal/server":     {"protocol", "internal/peer"},
	"internal/ask":        {"protocol", "internal/state"},
	"internal/activity":   {"protocol"},
	"internal/mcpfeature": {"protocol"},
	"internal/figures":    {"internal/section"},
	"internal/bareserver": {"lsp"},
	"internal/httpapi":    {"internal/contextd", "protocol"},
	// What is generated of the contract knows nothing of ours but itself.
	"internal/contextd":                      {"internal/contextd/v1", "internal/contextd/v1/contextdv1connect", "protocol"},
	"internal/contextd/v1/contextdv1connect": {"internal/contextd/v1"},
	"internal/loopback":                      {"internal/state"},
	"internal/mcphttp":                       {"protocol", "internal/dialog", "internal/server"},
	"internal/dialog":                        {"protocol"},
	"internal/daemon":                        {"protocol", "internal/state"},
	"internal/setup":                         {"protocol", "internal/setup/client", "internal/setup/jsonedit", "internal/state"},
	"internal/setup/client":                  {"protocol", "internal/setup/jsonedit", "internal/setup/tomledit"},
	// Programs of this repository for people who look at it; nothing imports them.
	"cmd/demo":              {"protocol", "internal/daemontest"},
	"cmd/dist":              {},
	"cmd/screenshots":       {"internal/daemontest", "internal/screen", "internal/screen/svg", "internal/trust"},
	"cmd/bench":             {"*", "*/*"},
	"cmd/scoutbench":        {"protocol", "lsp", "internal/checkout", "internal/golang/syntax", "internal/lexer", "internal/daemontest", "internal/figures"},
	"cmd/conversationbench": {"protocol", "internal/daemontest", "internal/figures", "internal/state", "internal/conversation", "internal/knownitem", "internal/measure", "internal/memory", "internal/transcript", "internal/transcript/transcripttest"},
	"cmd/execbench":         {"protocol", "internal/daemontest", "internal/fingerprint", "internal/measure", "internal/preview", "internal/preview/recorded", "internal/sandbox", "internal/sandbox/escape", "internal/scrub", "internal/scrub/planted", "internal/figures", "internal/state"},
	"cmd/recallbench":       {"protocol", "internal/daemontest", "internal/fulltext", "internal/measure", "internal/memory", "internal/recall", "internal/recall/*", "internal/figures", "internal/transcript", "internal/transcript/transcripttest"},
	"cmd/doorsbench":        {"protocol", "internal/contextd/v1", "internal/contextd/v1/contextdv1connect", "internal/daemontest", "internal/figures", "internal/measure", "internal/sample", "internal/trust"},
	"cmd/largebench":        {"protocol", "lsp", "internal/bareserver", "internal/checkout", "internal/daemontest", "internal/figures", "internal/measure"},
	"cmd/teachbench":        {"internal/checkout", "internal/figures", "internal/golang/syntax", "internal/golang/wasmtest"},
	"cmd/callersbench":      {"lsp", "internal/checkout", "internal/daemontest", "internal/figures"},
	"cmd/soak":              {"protocol", "internal/daemontest", "internal/unixsock", "internal/figures"},
}

// Fonts and drawing are large: no program that users run links them.
func TestRuleOneBenchDraws(t *testing.T) {
	for _, p := range goList(t, "./...", "./agent/...") {
		if slices.Contains(p.Deps, "gonum.org/v1/plot") != (p.ImportPath == "tidepool/cmd/largebench") {
			t.Errorf("%s: gonum.org/v1/plot is for cmd/largebench alone", p.ImportPath)
		}
	}
}

func TestRuleImportsPointDown(t *testing.T) {
	for _, p := range goList(t, "./...", "./agent/...") {
		from := strings.TrimPrefix(p.ImportPath, "tidepool/")
		for _, imported := range p.Imports {
			to, ours := strings.CutPrefix(imported, "tidepool/")
			if !ours || to == everybodys || allowed(from, to) {
				continue
			}
			t.Errorf("%s imports %s: arrows in imports_test.go forbid it", from, to)
		}
	}
}

// Type-checking the packages of a large module takes gigabytes. Only the analysis process, which has a limit, may do it, and what trains.
func TestRuleOnlyTheAnalysisTypeChecks(t *testing.T) {
	may := []string{"internal/golang/analysis/worker", "internal/golang/reach", "cmd/train/reach"}
	for _, p := range goList(t, "./...") {
		from := strings.TrimPrefix(p.ImportPath, "tidepool/")
		for _, imported := range p.Imports {
			heavy := imported == "tidepool/internal/golang/packages" || imported == "tidepool/internal/golang/reach"
			if heavy && !slices.Contains(may, from) {
				t.Errorf("%s imports %s: ask package analysis instead", from, imported)
			}
		}
	}
}

func allowed(from, to string) bool {
	for _, pattern := range arrows[from] {
		if ok, err := path.Match(pattern, to); ok || err != nil {
			return err == nil
		}
	}
	// A program may be split into packages below it.
	return strings.HasPrefix(from+"/", "agent/") && (strings.HasPrefix(to, "agent/") || from != "agent" && allowed("agent", to))
}

// Every import of the agent is paid for at every hook: the standard library's
// net alone costs 0.1 ms, fmt's users nothing more than fmt. x/sys/unix is names of system calls, for the process that confines commands.
func TestRuleAgentStaysSmall(t *testing.T) {
	forbidden := []string{"net", "net/http", "log/slog", "crypto/tls", "html/template"}
	for _, p := range goList(t, "./agent") {
		for _, dep := range p.Deps {
			first, _, _ := strings.Cut(dep, "/")
			if strings.Contains(first, ".") && dep != "golang.org/x/sys/unix" {
				t.Errorf("the agent depends on %s: only the standard library and our leaves are allowed", dep)
			}
			if slices.Contains(forbidden, dep) {
				t.Errorf("the agent depends on %s, which every hook would pay for", dep)
			}
		}
	}
}

func TestRuleEveryPackageHasADocComment(t *testing.T) {
	for _, p := range goList(t, "./...", "./agent/...") {
		if p.Doc == "" && len(p.GoFiles) > 0 {
			t.Errorf("%s has no package comment", p.ImportPath)
		}
	}
}
