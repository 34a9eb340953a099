// Package contextdv1connect has the handlers and the clients that are generated of contextd.proto: make generate.
package contextdv1connect
