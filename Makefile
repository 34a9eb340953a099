# make help lists the targets.

GO      ?= go
BIN     := $(CURDIR)/bin
VERSION := $(shell cat VERSION)
COMMIT  := $(shell git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null)

GOPLS_VERSION       := v0.23.0
STATICCHECK_VERSION := v0.8.2
NFPM_VERSION        := v2.43.4

# The environment of all that Go compiles but for the race detector: a package is compiled once for each set of flags.
PURE  := CGO_ENABLED=0 GOFLAGS='$(shell $(GO) env GOFLAGS) -trimpath'
# Static, and not position independent: that starts in two thirds of the time.
BUILD := CGO_ENABLED=0 $(GO) build -trimpath -buildmode=exe -ldflags '-s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)'

# The race detector is a C library.
CC_FOUND := $(shell command -v $$($(GO) env CC) 2>/dev/null)
RACE     := $(if $(CC_FOUND),-race,)
# Packages take a minute or two alone; with the race detector on one slow processor that does other things, too, many times that.
# Many of them wait for language servers and daemons: one package more at a time than there are processors keeps those busy.
AT_ONCE  := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# make check runs go vet. go test would run it again for each half, over all that is imported.
TEST     := GORACE=atexit_sleep_ms=0 $(GO) test -vet=off -p $(AT_ONCE) -timeout 60m

# Tests with the flags of PURE. They run without the variable, which would have them build other programs than their users do.
TEST_PURE := CGO_ENABLED=0 $(TEST) -trimpath -exec 'env -u CGO_ENABLED'

MODULES := ./... ./agent/...
# The detector looks at the program that it is built into, and makes ten seconds of one. These start what they test, which is built
# without it, or compute on one goroutine: the reader of questions, the interpreter of tests, whose runner runs in the daemon of
# controlserver, too, the readers of transcripts and of languages without a server, and the rules, which read the tree. Those that
# take longest begin first.
UNRACED := ./internal/e2e ./internal/sandbox/escape ./internal/golang/wasmtest ./cmd/... ./internal/rules ./internal/transcript \
	./scout/intent ./tools/internal/lang/generic
# Of the others these take longest. What begins last ends alone.
LONGEST := ./tools/code ./lsp ./internal/conversation

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z/-]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

.PHONY: build
build: ## bin/agent and bin/controlserver, static
	@mkdir -p $(BIN)
	@scripts/progress 'building bin/agent' env $(BUILD) -o $(BIN)/agent ./agent
	@ln -sf agent $(BIN)/agent-shell
	@scripts/progress 'building bin/controlserver' env $(BUILD) -o $(BIN)/controlserver ./controlserver

bin/gopls: ## the Go language server, pinned
	@scripts/progress 'getting gopls $(GOPLS_VERSION) into bin/' env $(PURE) GOBIN=$(BIN) $(GO) install golang.org/x/tools/gopls@$(GOPLS_VERSION)

bin/servers: scripts/servers/package-lock.json scripts/clangd ## the language servers of TypeScript, Python and C, pinned where npm has them
	@scripts/progress 'getting clangd' scripts/clangd
	@scripts/progress 'getting the TypeScript and Python language servers into bin/' scripts/npm scripts/servers $(BIN)/servers
	@touch $@

bin/staticcheck:
	@scripts/progress 'getting staticcheck $(STATICCHECK_VERSION) into bin/' env $(PURE) GOBIN=$(BIN) $(GO) install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)

# Where make install puts the programs; gopls goes beside them unless PATH has one.
PREFIX ?= $(if $(filter 0,$(shell id -u)),/usr/local,$(HOME)/.local)

.PHONY: install
install: build ## both programs below PREFIX with completions and manual pages, and gopls if PATH has none
	@$(GO) run ./cmd/dist -stage $(BIN)/stage
	@command -v gopls >/dev/null 2>&1 || { $(MAKE) --no-print-directory bin/gopls && cp $(BIN)/gopls $(BIN)/stage/bin/; }
	@$(BIN)/stage/install.sh --prefix '$(PREFIX)' --replace

.PHONY: uninstall
uninstall: ## take out of PREFIX what make install has put there
	@scripts/install.sh --uninstall --prefix '$(PREFIX)'

bin/nfpm:
	@scripts/progress 'getting nfpm $(NFPM_VERSION) into bin/' env $(PURE) GOBIN=$(BIN) $(GO) install github.com/goreleaser/nfpm/v2/cmd/nfpm@$(NFPM_VERSION)

.PHONY: dist
dist: bin/nfpm ## dist/: tarballs, plugins and Debian packages for all platforms, with checksums; TARGETS=linux/amd64 builds some
	@$(GO) run ./cmd/dist $(if $(TARGETS),-targets $(TARGETS))

.PHONY: dist-check
dist-check: dist ## dist, and once more from a clone with an empty build cache: both have the same checksums
	@$(GO) run ./cmd/dist -check $(if $(TARGETS),-targets $(TARGETS))

.PHONY: plugin
plugin: build ## the programs into plugin/bin, which makes plugin/ installable from this path
	@mkdir -p plugin/bin
	@install -m 755 $(BIN)/agent $(BIN)/controlserver plugin/bin/
	@ln -sf agent plugin/bin/agent-shell

.PHONY: demo
demo: build bin/gopls ## the pair at work on this repository
	@scripts/progress 'getting the modules this repository imports' $(GO) list -deps -test $(MODULES)
	@scripts/progress 'building the demo' env $(PURE) $(GO) build -o $(BIN)/demo ./cmd/demo
	@$(BIN)/demo

.PHONY: screenshots
screenshots: build bin/gopls ## docs/*.svg, the pictures of the pages, from a real run
	@scripts/progress 'building the screenshots' env $(PURE) $(GO) build -o $(BIN)/screenshots ./cmd/screenshots
	@$(BIN)/screenshots

.PHONY: generate
generate: ## the Go code of internal/contextd/v1/contextd.proto, by a compiler and plugins that go.mod pins
	$(GO) run ./internal/contextd/generate internal/contextd/v1

.PHONY: test
test: build bin/gopls bin/servers ## all tests: units, goldens, scripts over the real binaries and the real language servers
ifeq ($(RACE),)
	@echo 'no C compiler: testing without the race detector (apt-get install gcc, xcode-select --install)' >&2
endif
	@scripts/progress 'getting the gRPC library of Python' scripts/python-grpc
	@scripts/progress 'getting the clang library of Python' scripts/python-clang
	$(TEST_PURE) $(UNRACED)
	$(TEST) $(RACE) $(LONGEST) $$($(GO) list $(MODULES) | grep -vxF "$$($(GO) list $(UNRACED) $(LONGEST))")

.PHONY: test-team
test-team: ## the tests of recall.team, against a PostgreSQL server of their own, which is installed if it is missing
	@scripts/progress 'getting PostgreSQL' scripts/postgres
	$(TEST) $(RACE) -tags team ./internal/recall/team/...
	$(TEST) $(RACE) -tags team -run TestTeam ./internal/recall
	$(TEST_PURE) -tags team -run TestTeam ./internal/e2e

bin/.npm/node_modules: internal/mcptest/conformance/npm/package-lock.json
	@scripts/progress 'getting the MCP Inspector and the conformance suite into bin/' scripts/npm internal/mcptest/conformance/npm $(BIN)/.npm
	@touch $@

.PHONY: conformance
conformance: build bin/.npm/node_modules ## agent mcp, judged by the MCP Inspector and the conformance suite; needs Node
	@scripts/progress 'building the conformance run' env $(PURE) $(GO) build -o $(BIN)/conformance ./internal/mcptest/conformance
	@$(BIN)/conformance

# go list -export compiles as go build does, and links none of two dozen programs.
.PHONY: check
check: build bin/staticcheck ## formatting, vet, staticcheck, both modules outside the workspace, the rules
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$unformatted" ] || { echo "gofmt -w $$unformatted" >&2; exit 1; }
	$(PURE) $(GO) vet $(MODULES)
	$(PURE) $(BIN)/staticcheck $(MODULES)
	$(PURE) GOWORK=off $(GO) list -export ./... >/dev/null
	cd agent && $(PURE) GOWORK=off $(GO) list -export ./... >/dev/null
	$(PURE) $(GO) vet -tags team ./internal/recall/... ./internal/e2e
	$(PURE) $(BIN)/staticcheck -tags team ./internal/recall/... ./internal/e2e
	$(PURE) $(GO) test -count=1 -run Rule ./internal/rules

.PHONY: bench
bench: build bin/gopls bin/servers ## the table of figures, measured side by side; WRITE=1 puts it into docs/figures.md
	@scripts/progress 'building the bench' env $(PURE) $(GO) build -o $(BIN)/bench ./cmd/bench
	@$(BIN)/bench $(if $(WRITE),-write)

.PHONY: bench-scout
bench-scout: build bin/gopls bin/servers ## how good scout's answers are, on modules where a compiler has said what breaks; WRITE=1 as above
	@scripts/progress 'building the bench' env $(PURE) $(GO) build -o $(BIN)/scoutbench ./cmd/scoutbench
	@$(BIN)/scoutbench $(if $(WRITE),-write)

.PHONY: bench-conversations
bench-conversations: build ## the archive of 200,000 turns, beside FTS5 and rg; WRITE=1 as above
	@scripts/progress 'building the bench' env $(PURE) $(GO) build -o $(BIN)/conversationbench ./cmd/conversationbench
	@$(BIN)/conversationbench $(if $(WRITE),-write)

.PHONY: bench-recall
bench-recall: build ## recall among 100,000 memories, beside FTS5; DATA=DIR says how good it is on public dialogues; WRITE=1 as above
	@scripts/progress 'building the bench' env $(PURE) $(GO) build -o $(BIN)/recallbench ./cmd/recallbench
	@$(BIN)/recallbench $(if $(DATA),-data $(DATA)) $(if $(WRITE),-write)

.PHONY: bench-exec
bench-exec: build ## what a model runs unasked: confinement, costs, secrets and previews; WRITE=1 as above
	@scripts/progress 'getting bubblewrap' scripts/bubblewrap
	@scripts/progress 'building the bench' env $(PURE) $(GO) build -o $(BIN)/execbench ./cmd/execbench
	@$(BIN)/execbench $(if $(WRITE),-write)

.PHONY: bench-doors
bench-doors: build bin/gopls ## the same call by line, HTTP, gRPC and MCP over HTTP; WRITE=1 as above
	@scripts/progress 'building the bench' env $(PURE) $(GO) build -o $(BIN)/doorsbench ./cmd/doorsbench
	@$(BIN)/doorsbench $(if $(WRITE),-write)

.PHONY: bench-large
bench-large: build bin/gopls bin/servers ## projects of 10 thousand to 6 million lines, beside the bare server: an hour; SIZES=small,medium runs some; WRITE=1 as above
	@scripts/progress 'building the bench' env $(PURE) $(GO) build -o $(BIN)/largebench ./cmd/largebench
	@$(BIN)/largebench $(if $(SIZES),-sizes $(SIZES)) $(if $(WRITE),-write)

.PHONY: bench-callers
bench-callers: build bin/gopls bin/servers ## how exact find_callers is, beside a compiler of the language: four minutes; ONLY=Go asks some; WRITE=1 as above
	@scripts/progress 'getting the clang library of Python' scripts/python-clang
	@scripts/progress 'building the bench' env $(PURE) $(GO) build -o $(BIN)/callersbench ./cmd/callersbench
	@$(BIN)/callersbench -list $(if $(ONLY),-only $(ONLY)) $(if $(WRITE),-write)

.PHONY: bench-teach
bench-teach: build bin/gopls ## what teach-graph chooses, beside what tests of a topic run: half an hour; ONLY=cobra asks some, TUNING=1 none that are kept apart; WRITE=1 as above
	@scripts/progress 'building the bench' env $(PURE) $(GO) build -o $(BIN)/teachbench ./cmd/teachbench
	@$(BIN)/teachbench -list $(if $(ONLY),-only $(ONLY)) $(if $(TUNING),-tuning) $(if $(WRITE),-write)

.PHONY: soak
soak: build bin/gopls ## kill -9, hangs, crowds and a day of hooks, with figures: three minutes; WRITE=1 as above
	@scripts/progress 'building the soak' env $(PURE) $(GO) build -o $(BIN)/soak ./cmd/soak
	@$(BIN)/soak $(if $(WRITE),-write)

.PHONY: fuzz
fuzz: ## each fuzz target for ten seconds
	@for package in $$($(GO) list $(MODULES)); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime 10s $$package >/dev/null || exit 1; \
		done; \
	done

.PHONY: clean
clean: ## everything built here
	rm -rf bin dist
