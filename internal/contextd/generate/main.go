// Command generate writes the Go code of contextd.proto: make generate. The compiler and its plugins are modules that go.mod pins.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const (
	contract = "contextd.proto"
	module   = "tidepool/internal/contextd/v1" // what the plugins strip from the paths of their files
)

// plugins are the generators by their tools, with their parameters.
func plugins() map[string]string {
	return map[string]string{"protoc-gen-go": "module=" + module, "protoc-gen-connect-go": "simple=true,module=" + module}
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate DIRECTORY, which holds "+contract)
		os.Exit(2)
	}
	files, err := generate(context.Background(), os.Args[1])
	if err == nil {
		err = write(os.Args[1], files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// generate returns the generated files, by their paths below the contract's directory.
func generate(ctx context.Context, dir string) (map[string][]byte, error) {
	request, err := compile(ctx, dir)
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	for plugin, parameter := range plugins() {
		request.Parameter = proto.String(parameter)
		response, err := run(ctx, plugin, request)
		if err != nil {
			return nil, err
		}
		for _, file := range response.File {
			files[file.GetName()] = []byte(file.GetContent())
		}
	}
	return files, nil
}

// compile returns the contract as plugins want it.
func compile(ctx context.Context, dir string) (*pluginpb.CodeGeneratorRequest, error) {
	compiler := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{ImportPaths: []string{dir}},
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	compiled, err := compiler.Compile(ctx, contract)
	if err != nil {
		return nil, err
	}
	return &pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{contract}, ProtoFile: []*descriptorpb.FileDescriptorProto{protodesc.ToFileDescriptorProto(compiled[0])},
	}, nil
}

// run runs a plugin, which go.mod has as a tool.
func run(ctx context.Context, plugin string, request *pluginpb.CodeGeneratorRequest) (*pluginpb.CodeGeneratorResponse, error) {
	input, err := proto.Marshal(request)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "tool", plugin)
	var failure bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), &failure
	output, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("running %s: %w: %s", plugin, err, failure.Bytes())
	}
	response := new(pluginpb.CodeGeneratorResponse)
	if err := proto.Unmarshal(output, response); err != nil {
		return nil, err
	}
	if response.Error != nil {
		return nil, fmt.Errorf("%s: %s", plugin, response.GetError())
	}
	return response, nil
}

// write writes the files.
func write(dir string, files map[string][]byte) error {
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
