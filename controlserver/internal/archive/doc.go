// Package archive opens the conversations of a project, or of all projects, and does with them what people do beside searching:
// export and resume.
package archive
