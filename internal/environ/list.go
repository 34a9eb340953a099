package environ

import "strings"

// listed reports whether a variable is known to be harmless by its name. Proxies are known in both spellings.
func listed(name string) bool {
	for _, prefix := range prefixes() {
		if strings.HasPrefix(name, prefix) {
			return !secretName(strings.ToUpper(name)) // people smuggle theirs through SSH as LC_SOMETHING
		}
	}
	if proxy(name) {
		name = strings.ToLower(name)
	}
	for _, group := range groups() {
		for word := range strings.FieldsSeq(group) {
			if word == name {
				return true
			}
		}
	}
	return false
}

// prefixes returns those of families that hold nothing else: locale, base directories, and the settings of tidepool.
func prefixes() [3]string { return [3]string{"LC_", "XDG_", "TIDEPOOL_"} }

// groups returns the names, by what reads them.
func groups() [12]string {
	return [12]string{
		// The user, directories and locale.
		"HOME USER LOGNAME SHELL PATH PWD OLDPWD HOSTNAME TMPDIR TMP TEMP TZ LANG LANGUAGE LOCPATH LOCALE_ARCHIVE",
		// The terminal and the desktop, for questions.notify.
		"TERM COLORTERM NO_COLOR CLICOLOR FORCE_COLOR COLUMNS LINES DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS TMUX TMUX_PANE",
		// The client of the daemon, and settings under the names of other programs.
		"CLAUDE_PROJECT_DIR CLAUDE_CONFIG_DIR CODEX_HOME MANTLE_FAIL_MODE GEMMA_ENDPOINT",
		// How the network is reached. The agent of SSH is a path; private modules are fetched with it.
		"http_proxy https_proxy ftp_proxy all_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS SSH_AUTH_SOCK",
		// Go, and cgo.
		"GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOTMPDIR GOENV GOFLAGS GOPROXY GONOPROXY GOPRIVATE GOSUMDB GONOSUMDB GOINSECURE GOVCS " +
			"GOTOOLCHAIN GOWORK GO111MODULE GOOS GOARCH GOAMD64 GOARM GOARM64 GO386 GOEXPERIMENT GODEBUG GORACE GOTRACEBACK GOMAXPROCS " +
			"GOMEMLIMIT GOGC GOTELEMETRY GOCOVERDIR CGO_ENABLED CGO_CFLAGS CGO_CPPFLAGS CGO_CXXFLAGS CGO_LDFLAGS",
		// C and C++.
		"CC CXX AR LD CFLAGS CPPFLAGS CXXFLAGS LDFLAGS CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH " +
			"PKG_CONFIG PKG_CONFIG_PATH PKG_CONFIG_LIBDIR CMAKE_PREFIX_PATH SDKROOT DEVELOPER_DIR MACOSX_DEPLOYMENT_TARGET",
		// JavaScript and TypeScript.
		"NODE_PATH NODE_OPTIONS NODE_ENV NVM_DIR NVM_BIN VOLTA_HOME FNM_DIR FNM_MULTISHELL_PATH PNPM_HOME COREPACK_HOME YARN_CACHE_FOLDER " +
			"npm_config_prefix npm_config_cache npm_config_registry NPM_CONFIG_PREFIX NPM_CONFIG_CACHE NPM_CONFIG_REGISTRY",
		// Python.
		"PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYENV_ROOT PYENV_VERSION POETRY_HOME UV_CACHE_DIR UV_PYTHON",
		// Rust.
		"CARGO_HOME CARGO_TARGET_DIR CARGO_BUILD_TARGET RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS RUST_SRC_PATH RUST_BACKTRACE RUST_LOG",
		// Haskell.
		"GHCUP_INSTALL_BASE_PREFIX STACK_ROOT CABAL_DIR CABAL_CONFIG GHC_PACKAGE_PATH",
		// Managers of toolchains.
		"ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR MISE_CONFIG_DIR NIX_PATH NIX_PROFILES NIX_SSL_CERT_FILE NIX_CFLAGS_COMPILE NIX_LDFLAGS IN_NIX_SHELL HOMEBREW_PREFIX JAVA_HOME",
		// The state of the work.
		"BEADS_DIR BEADS_DB BD_ACTOR GH_CONFIG_DIR GH_HOST",
	}
}
