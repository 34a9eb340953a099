package contextd_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"

	contextdv1 "tidepool/internal/contextd/v1"
	"tidepool/internal/contextd/v1/contextdv1connect"
	"tidepool/internal/daemontest"
	"tidepool/internal/httpapi"
	"tidepool/internal/server"
	"tidepool/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tools answer with what a test wants, and report their calls.
type tools struct {
	called chan *protocol.MCPToolCall
	result map[string]string // by tool
}

func (*tools) List() []protocol.ToolDefinition { return nil }

func (s *tools) Call(ctx context.Context, call *protocol.MCPToolCall, _ server.Caller) (server.Result, error) {
	s.called <- call
	switch result, known := s.result[call.ToolName]; {
	case result == "wait":
		<-ctx.Done()
		return server.Result{}, ctx.Err()
	case result == "fail":
		return server.Result{}, errors.New("no disk")
	case known:
		return server.Result{JSON: json.RawMessage(result), Text: "first\nsecond\n"}, nil
	}
	return server.Result{}, &protocol.Error{Code: protocol.CodeMethodNotFound, Message: "unknown tool " + call.ToolName}
}

// serve serves tools on a socket, and returns its path.
func serve(t *testing.T, result map[string]string) (*tools, string) {
	t.Helper()
	s := &tools{make(chan *protocol.MCPToolCall, 100), result}
	project := daemontest.Project(t)
	daemontest.StartServer(t, project, server.Options{Tools: s, HTTP: httpapi.New(httpapi.Options{Do: server.Do})})
	return s, daemontest.Socket(project)
}

// dial returns a connection of the gRPC library.
func dial(t *testing.T, path string) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient("unix:"+path, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// A call has the names of the tool, and is of the session.
func TestGRPC(t *testing.T) {
	s, path := serve(t, map[string]string{
		"safe_bash": `{"summary":"Executed: ls","stdout_preview":"a","exit_code":1,"tokens_used":7,"isolation":"full","secrets":{"env":2},"unknown":1}`,
	})
	conn := dial(t, path)
	out := new(contextdv1.BashResponse)
	in := &contextdv1.BashRequest{Cmd: "ls", Timeout: 5, SessionId: "s"}
	if err := conn.Invoke(t.Context(), "/contextd.v1.SafeExecService/Bash", in, out); err != nil {
		t.Fatal(err)
	}
	if out.GetSummary() != "Executed: ls" || out.GetExitCode() != 1 || out.GetTokensUsed() != 7 || out.GetIsolation() != "full" || out.GetSecrets()["env"] != 2 || out.Truncated != nil {
		t.Errorf("%v", out)
	}
	if call := <-s.called; call.ToolName != "safe_bash" || string(call.Arguments) != `{"cmd":"ls","timeout":5}` || call.Meta.Session != "s" {
		t.Errorf("%s %s %+v", call.ToolName, call.Arguments, call.Meta)
	}
}

// Errors have the codes of gRPC. The end of the client's time cancels the call.
func TestGRPCErrors(t *testing.T) {
	_, path := serve(t, map[string]string{"safe_bash": "wait", "safe_read": "fail"})
	conn := dial(t, path)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for _, test := range []struct {
		ctx    context.Context
		method string
		in     any
		code   codes.Code
		says   string
	}{
		{ctx, "SafeExecService/Bash", &contextdv1.BashRequest{Cmd: "ls", SessionId: "s"}, codes.DeadlineExceeded, ""},
		{t.Context(), "SafeExecService/Read", &contextdv1.ReadRequest{Path: "a", SessionId: "s"}, codes.FailedPrecondition, "no disk"},
		{t.Context(), "PolicyService/Get", &contextdv1.PolicyGetRequest{Id: "a", SessionId: "s"}, codes.Unimplemented, "unknown tool policy_get"},
		{t.Context(), "SafeExecService/Bash", &contextdv1.BashRequest{Cmd: "ls"}, codes.InvalidArgument, "session_id is required"},
		{t.Context(), "SafeExecService/Bash", &contextdv1.BashRequest{Cmd: "ls", SessionId: "../s"}, codes.InvalidArgument, "session_id is no id"},
		{t.Context(), "SafeExecService/Bahs", &contextdv1.BashRequest{}, codes.Unimplemented, "did you mean Bash?"},
		{t.Context(), "SafeService/Bash", &contextdv1.BashRequest{}, codes.Unimplemented, "there is no service"},
		{t.Context(), "SafeExecService/Write", &contextdv1.WriteRequest{Content: strings.Repeat("x", 2<<20)}, codes.ResourceExhausted, "larger than 1 MiB"},
	} {
		err := conn.Invoke(test.ctx, "/contextd.v1."+test.method, test.in, new(contextdv1.BashResponse))
		if got := status.Convert(err); got.Code() != test.code || !strings.Contains(got.Message(), test.says) {
			t.Errorf("%s: %v, want %v: %s", test.method, err, test.code, test.says)
		}
	}
}

// Server reflection lists the services.
func TestReflection(t *testing.T) {
	_, path := serve(t, nil)
	stream, err := grpc_reflection_v1.NewServerReflectionClient(dial(t, path)).ServerReflectionInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(&grpc_reflection_v1.ServerReflectionRequest{MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_ListServices{}}); err != nil {
		t.Fatal(err)
	}
	reply, err := stream.Recv()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, service := range reply.GetListServicesResponse().GetService() {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(service.GetName(), "contextd.v1."), "Service"))
	}
	if want := []string{"Agent", "Checkpoint", "Memory", "Policy", "Ref", "Remediation", "SafeExec", "Session", "Skill", "Tool"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if err := stream.CloseSend(); err != nil {
		t.Error(err)
	}
}

// gRPC-Web and Connect are answered by the same handlers, and all of the latter's JSON is there.
func TestConnectAndWeb(t *testing.T) {
	s, path := serve(t, map[string]string{"policy_check": `{"compliant":true,"violations":[]}`})
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	for name, option := range map[string]connect.ClientOption{"connect": connect.WithProtoJSON(), "grpc-web": connect.WithGRPCWeb()} {
		c := contextdv1connect.NewPolicyServiceClient(&http.Client{Transport: transport}, "http://x", option)
		out, err := c.Check(t.Context(), &contextdv1.PolicyCheckRequest{Action: "rm -rf .", SessionId: "s"})
		if err != nil || !out.GetCompliant() || out.GetTokensUsed() == 0 {
			t.Errorf("%s: %v, %v", name, out, err)
		}
		if call := <-s.called; string(call.Arguments) != `{"action":"rm -rf ."}` {
			t.Errorf("%s", call.Arguments)
		}
	}
}
