// Package install runs the commands that install language servers, as a person would type them, but lets nothing that lies in a
// project decide what is installed: programs are not looked for there, and commands do not work there.
//
// It runs go, npm and apt-get, apt-get also by sudo where that asks for no password.
package install
