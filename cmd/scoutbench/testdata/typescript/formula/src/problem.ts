import type { Position } from "./token";

export type Severity = "error" | "warning";

export class FormulaError extends Error {
  constructor(
    message: string,
    readonly at: Position,
  ) {
    super(message);
  }

  where(): string {
    return `${this.at.line}:${this.at.column}`;
  }
}

export interface Problem {
  severity: Severity;
  message: string;
  at: Position;
}

const prefixes = {
  error: "error",
  warning: "warning",
} satisfies { [S in Severity]: string };

export function render(p: Problem): string {
  return `${p.at.line}:${p.at.column}: ${prefixes[p.severity]}: ${p.message}`;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof FormulaError) {
    return { severity: "error", message: error.message, at: error.at };
  }
  throw error;
}
