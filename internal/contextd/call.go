package contextd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tidepool/protocol"
)

const (
	mostPreview     = 500 // characters of a preview
	mostDescription = 100 // characters of a description_preview
	mostSession     = 128 // characters of a session's id
	perToken        = 4   // characters of a token, about
)

// A caller calls tools.
type caller struct {
	do func(context.Context, protocol.Request) protocol.Response
}

// A sessioned request names its session.
type sessioned interface{ GetSessionId() string }

// arguments are those of a tool.
type arguments map[string]any

// set adds an argument unless it is the zero value, which means that the caller has not given it.
func set[T comparable](a arguments, name string, value T) {
	var zero T
	if value != zero {
		a[name] = value
	}
}

// run calls a tool for a session and decodes its result.
func (c *caller) run(ctx context.Context, tool string, r sessioned, in arguments, result any) error {
	session := r.GetSessionId()
	if err := checkSession(session); err != nil {
		return err
	}
	return c.call(ctx, tool, session, in, result)
}

// call calls a tool and decodes its result. The error is a *connect.Error.
func (c *caller) call(ctx context.Context, tool, session string, in arguments, result any) error {
	raw, _, err := c.send(ctx, tool, session, in)
	if err != nil {
		return err
	}
	if message, is := result.(proto.Message); is {
		err = protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(raw, message)
	} else {
		err = json.Unmarshal(raw, result)
	}
	if err != nil {
		return connect.NewError(connect.CodeInternal, fmt.Errorf("%s answered what does not fit: %w", tool, err))
	}
	return nil
}

// send calls a tool, and returns its result as JSON and as a model reads it. in is encoded unless it is JSON. The error is a *connect.Error.
func (c *caller) send(ctx context.Context, tool, session string, in any) (result json.RawMessage, text string, err error) {
	raw, is := in.(json.RawMessage)
	if !is {
		if raw, err = json.Marshal(in); err != nil {
			return nil, "", connect.NewError(connect.CodeInternal, err)
		}
	}
	response := c.do(ctx, &protocol.MCPToolCall{ToolName: tool, Arguments: raw, Meta: &protocol.CallMeta{Session: session, Client: "HTTP"}})
	var failure *protocol.Error
	switch r := response.(type) {
	case *protocol.MCPToolResponse:
		if r.Error == nil {
			return r.Result, r.Text, nil
		}
		failure = r.Error
	case *protocol.ErrorResponse:
		failure = r.Error
	default:
		return nil, "", connect.NewError(connect.CodeInternal, fmt.Errorf("the daemon answered with %T", response))
	}
	code, message := failureOf(ctx, failure), failure.Message
	if code == connect.CodeDeadlineExceeded {
		message = "the client's time was over before " + tool + " answered: give it more, or ask for less"
	}
	return nil, "", connect.NewError(code, errors.New(message))
}

// failureOf returns the code of a call that failed. A tool's own failure is a condition that the caller can read and change.
func failureOf(ctx context.Context, failure *protocol.Error) connect.Code {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return connect.CodeDeadlineExceeded
	case ctx.Err() != nil:
		return connect.CodeCanceled
	case failure.Code == protocol.CodeMethodNotFound:
		return connect.CodeUnimplemented
	case failure.Code == protocol.CodeInvalidParams:
		return connect.CodeInvalidArgument
	case failure.Code == protocol.CodeNotFound:
		return connect.CodeNotFound
	}
	return connect.CodeFailedPrecondition
}

// checkSession returns why a session's id is none.
func checkSession(id string) error {
	foreign := strings.ContainsFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
	switch {
	case id == "":
		return invalid("session_id is required: take one of your own, or ask session/start for one")
	case foreign || len(id) > mostSession:
		return invalid("session_id is no id: it has 1 to 128 letters, digits, _ and -")
	}
	return nil
}

// invalid is the error of a request that cannot be carried out as it is.
func invalid(why string) error { return connect.NewError(connect.CodeInvalidArgument, errors.New(why)) }

// pass calls a tool whose arguments and result have the names of the messages. rename has the arguments with other names.
func pass(ctx context.Context, c *caller, tool string, r sessioned, result proto.Message, rename map[string]string) error {
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(r.(proto.Message))
	if err != nil {
		return connect.NewError(connect.CodeInternal, err)
	}
	in := make(arguments)
	if err := json.Unmarshal(text, &in); err != nil {
		return connect.NewError(connect.CodeInternal, err)
	}
	delete(in, "session_id")
	for from, to := range rename {
		if value, given := in[from]; given {
			delete(in, from)
			in[to] = value
		}
	}
	if err := c.run(ctx, tool, r, in, result); err != nil {
		return err
	}
	count(result)
	return nil
}

// count sets tokens_used of an answer whose tool has not: about, by the size of the answer as JSON.
func count(answer proto.Message) {
	message := answer.ProtoReflect()
	field := message.Descriptor().Fields().ByName("tokens_used")
	if field == nil || message.Has(field) {
		return
	}
	if text, err := (jsonCodec{}).Marshal(answer); err == nil { // one that cannot be encoded is not sent as JSON either
		message.Set(field, protoreflect.ValueOfInt32(tokensOf(utf8.RuneCount(text))))
	}
}

func tokensOf(characters int) int32 { return int32((characters + perToken - 1) / perToken) }
