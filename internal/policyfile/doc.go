// Package policyfile reads the policies of an organisation, of a team and of a project from their files.
//
// A file counts if nobody but its user or root can have written it: it is a regular file, no link, belongs to one of them, and neither
// group nor others may write it or its directory. Files of the organisation belong to root.
//
// What cannot be read could have denied anything, so it does not silently permit. A file that was read before and cannot be used now stays
// as it was. Without an earlier one the user is asked about each tool call, and if one policy alone is wrong, about each call of the tools
// that it names. Nobody is locked out: to ask leaves the decision to the user, and no program is needed to correct a file.
//
// The package starts no goroutines.
package policyfile
