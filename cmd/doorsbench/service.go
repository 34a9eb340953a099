package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	contextdv1 "tidepool/internal/contextd/v1"
	"tidepool/internal/contextd/v1/contextdv1connect"
)

// jsonDoor is ToolService in JSON, by net/http. It answers with result and text, as a line does.
func jsonDoor(_ context.Context, w *warm) (door, error) {
	client := webClient(w.Socket())
	request := map[string]string{"name": "find_callers", "arguments": string(w.arguments), "session_id": session}
	ask := func(ctx context.Context) (string, error) {
		body, err := json.Marshal(request)
		if err != nil {
			return "", err
		}
		post, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://tidepool/api/v1/tool/call", bytes.NewReader(body))
		if err != nil {
			return "", err
		}
		post.Header.Set("Content-Type", "application/json")
		response, err := client.Do(post)
		if err != nil {
			return "", err
		}
		if body, err = bodyOf(response); err != nil {
			return "", err
		}
		var answer struct{ Text, Result string }
		return answer.Text, json.Unmarshal(body, &answer)
	}
	return door{name: "by `POST /api/v1/tool/call`, JSON by net/http", hold: 2, ask: ask, close: client.CloseIdleConnections}, nil
}

// grpcDoor is ToolService by grpc-go.
func grpcDoor(_ context.Context, w *warm) (door, error) {
	conn, err := grpc.NewClient("unix:"+w.Socket(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return door{}, err
	}
	request := &contextdv1.ToolCallRequest{Name: "find_callers", Arguments: string(w.arguments), SessionId: session}
	ask := func(ctx context.Context) (string, error) {
		answer := new(contextdv1.ToolCallResponse)
		err := conn.Invoke(ctx, contextdv1connect.ToolServiceCallProcedure, request, answer)
		return answer.GetText(), err
	}
	return door{name: "by `ToolService.Call`, gRPC by grpc-go", hold: 4, ask: ask, close: func() { conn.Close() }}, nil
}
