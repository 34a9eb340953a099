package main

import "os"

func workdir() (string, error) { return os.Getwd() }
