// Package memory measures the resident memory of a process.
package memory
