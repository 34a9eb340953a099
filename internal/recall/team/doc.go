// Package team keeps the memories that the members of a team share, in a PostgreSQL database of theirs.
//
// The database is named by the setting recall.team. It holds the schema tidepool, which the first program makes that may. Each row
// says who saved it, of which project: the role that logged in, which PostgreSQL vouches for, and a name, which the program claims.
// Nothing is written there but what was saved for the team, after secrets were removed from it. A path of this machine, and the
// project's place on it, never leave.
//
// # Finding
//
// The words of a memory are those of package fulltext, as they are for the memories of this machine. They are kept as a tsvector, whose
// GIN index finds the candidates; it also counts the memories that have each word of a question, so that the evidence of package evidence
// ranks and judges the candidates as if all memories of the team were here.
//
// # A server that is away
//
// A caller waits no longer than their context says; the request goes on for at most [answerTimeout], and what it learns about
// the server counts for the next one. After a failure nobody asks for a pause, which grows from 30 seconds to 10 minutes, and then one
// request tries for all: until it succeeds, others get the same *AwayError at once.
//
// # Trust
//
// A row of the database is other people's text. It is cut to the limits of a memory, its kinds are checked, and its trust is
// at most memory.Saved. No error has a password, a row or a word of a question in it.
package team
