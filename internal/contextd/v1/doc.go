// Package contextdv1 is the contract of the services, contextd.proto, with the messages that are generated of it: make generate.
package contextdv1
