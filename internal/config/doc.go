// Package config reads the settings of a project's daemon: defaults, then .tidepool/config.json, then the
// environment, then the command line; the later one wins.
//
// Every setting has one dotted key, for example "server.workers". In the file a dot is a nested object or
// part of the name, whichever reads better. In the environment the key is written TIDEPOOL_SERVER_WORKERS; an
// empty variable counts as not set. Environment and command line give text as it is ("30s", "debug") and
// JSON where the key holds a list or an object ("policy", "languages"). A value replaces the one of lower weight
// whole; lists and objects are not merged.
//
// Nothing is guessed. An unknown key, a value of the wrong type or out of range, a key given twice: each is
// a KeyError with file and line, what was expected and what was found, and all of them are reported at once.
//
// The package knows shapes, not meanings: policy rules are checked and handed on as data.
package config
