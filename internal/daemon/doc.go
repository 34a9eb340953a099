// Package daemon makes a process the only daemon of a project and gives it its socket.
//
// The holder of the lock is the daemon. It holds an exclusive flock on the file beside the socket (control.lock beside
// control.sock) for life, and only it removes a stale socket and listens. To check whether a socket answers before removing it
// would leave two daemons if two processes start at once. The kernel releases the lock however the process dies.
//
// A daemon that exits removes its socket first, so that no further client finds it, and serves those that have. A daemon that
// hands over to a successor releases the lock at the same time.
//
// The lock file stays when the daemon exits. It contains one line of JSON, an [Owner], which counts only while the lock is held.
// Nobody removes a socket that is not its own.
//
// The package starts no goroutines and does not log.
package daemon
