// Package netfs tells network file systems from local ones: on the former, processes of two machines cannot share a database, and no
// change of the other machine is reported.
package netfs
