package work

import (
	"net/url"
	"strings"
)

// A Repository is a place on a server such as GitHub. The zero one is none.
type Repository struct {
	Host  string // "github.com"
	Owner string
	Name  string
}

// String returns how gh takes it: "owner/name", with the host in front unless it is github.com.
func (r Repository) String() string {
	if r == (Repository{}) {
		return ""
	}
	if r.Host == "github.com" {
		return r.Owner + "/" + r.Name
	}
	return r.Host + "/" + r.Owner + "/" + r.Name
}

// parseRemote reads the URL of a remote: https://host/owner/name.git, ssh://git@host:22/owner/name, git@host:owner/name.git.
// One that leads to no server, such as a path, is the zero Repository.
func parseRemote(remote string) Repository {
	host, path := "", ""
	if u, err := url.Parse(remote); err == nil && u.Host != "" {
		host, path = u.Hostname(), u.Path
	} else if before, after, found := strings.Cut(remote, ":"); found && !strings.Contains(before, "/") && !strings.HasPrefix(after, "//") {
		host, path = before[strings.LastIndexByte(before, '@')+1:], after
	}
	parts := strings.Split(strings.TrimSuffix(strings.Trim(path, "/"), ".git"), "/")
	if host == "" || len(parts) < 2 || parts[0] == "" || parts[1] == "" {
		return Repository{}
	}
	return Repository{Host: strings.TrimPrefix(host, "ssh."), Owner: parts[0], Name: parts[1]}
}
