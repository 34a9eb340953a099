//go:build !linux

package main

import (
	"context"
	"fmt"
)

func measureQuestion(context.Context, *bench) (figure, error) {
	return figure{}, fmt.Errorf("%w: opening a terminal is known for Linux only", errNotHere)
}

func measureIdleUI(context.Context, *bench) (figure, error) {
	return figure{}, fmt.Errorf("%w: opening a terminal is known for Linux only", errNotHere)
}
