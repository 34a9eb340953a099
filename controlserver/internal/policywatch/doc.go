// Package policywatch keeps the policies of files that decide about tool calls as their directories have them now.
//
// The organisation's directory is /etc/tidepool/policy: only root writes in /etc, configuration management already does, and neither a
// project nor an environment variable of a session leads elsewhere. The team's are tidepool/policy below XDG_CONFIG_HOME, or else below
// ~/.config, and those that the setting policy.dirs names. The project's is .tidepool/policy.
package policywatch
