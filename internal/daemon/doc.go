// Package daemon decides who the daemon of a project is and gives it its socket.
//
// The lock is the daemon, the socket only its mailbox. An exclusive flock on the file beside the socket
// (control.lock beside control.sock) is held for life; only its holder removes a stale socket and listens. Looking
// whether a socket answers before removing it would leave two owners in a race of starters; a lock that the kernel
// takes back at any death cannot.
//
// A daemon that leaves removes its socket first, so that nobody finds it any more, and serves who has. One that may
// have a successor at once gives the lock up then, and not only at its end.
//
// The lock file stays where it is when the daemon ends. It holds one line of JSON, an [Owner], which is believed
// only while the lock is held. Nobody removes a socket that it does not own.
//
// The package starts no goroutines and does not log.
package daemon
