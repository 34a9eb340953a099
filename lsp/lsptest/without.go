package lsptest

import (
	"bufio"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// Without runs a language server on this process's standard streams and keeps all requests of a method from it, so that it
// never answers them. It returns the exit status of the server.
func Without(method, program string, args ...string) int {
	server := exec.Command(program, args...)
	server.Stdout, server.Stderr = os.Stdout, os.Stderr
	in, err := server.StdinPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	go func() {
		defer in.Close()
		for messages := bufio.NewReader(os.Stdin); ; {
			body, err := frame(messages)
			if err != nil {
				return
			}
			if !strings.Contains(string(body), `"method":"`+method+`"`) {
				fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(body), body)
			}
		}
	}()
	server.Wait() // its status says how it ended
	return server.ProcessState.ExitCode()
}

// frame reads the next message.
func frame(from *bufio.Reader) ([]byte, error) {
	header, err := textproto.NewReader(from).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return nil, err
	}
	body := make([]byte, size)
	_, err = io.ReadFull(from, body)
	return body, err
}
