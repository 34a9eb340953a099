// Package contextd offers the tools of a project as the services of contextd: by gRPC, gRPC-Web, Connect, and as JSON at
// POST /api/v1/<service>/<method>. One handler answers all four; package v1 has the contract, contextd.proto, and what is generated of it.
//
// Each method calls the tool that does its work, with the limits, the policy and the log of any call, and shapes the tool's answer. A
// service whose tools the daemon does not have answers "unimplemented".
//
// A request names its session. The call is then of that session, such as for references and checkpoints. Nobody must start it.
//
// Bodies are not compressed, and are read whole, within the budget of the caller, before a method begins; all methods but server
// reflection have one request and one response. JSON has the names of the contract. Fields, methods and services that there are not are
// refused, and the nearest is named.
//
// The package starts no goroutine, and makes nothing before New.
package contextd
