import { FormulaError } from "./problem";
import { Position, Token, token, TokenKind } from "./token";

const patterns: [TokenKind, RegExp][] = [
  [TokenKind.Number, /^\d+(\.\d+)?/],
  [TokenKind.Text, /^"[^"]*"/],
  [TokenKind.Name, /^[a-z]\w*/i],
  [TokenKind.Operator, /^[-+*/<=&]/],
  [TokenKind.Open, /^\(/],
  [TokenKind.Close, /^\)/],
  [TokenKind.Comma, /^,/],
];

export class Scanner {
  private offset = 0;

  constructor(private readonly source: string) {}

  next(): Token {
    this.skipBlanks();
    const rest = this.source.slice(this.offset);
    if (rest === "") {
      return token(TokenKind.End, "", this.position());
    }
    for (const [kind, pattern] of patterns) {
      const found = pattern.exec(rest);
      if (found) {
        const made = token(kind, found[0], this.position());
        this.offset += found[0].length;
        return made;
      }
    }
    throw new FormulaError("unexpected character", this.position());
  }

  private position(): Position {
    const before = this.source.slice(0, this.offset).split("\n");
    return { line: before.length, column: before[before.length - 1].length + 1 };
  }

  private skipBlanks(): void {
    while (/\s/.test(this.source.charAt(this.offset))) {
      this.offset++;
    }
  }
}

export function scan(source: string): Token[] {
  const scanner = new Scanner(source);
  const all: Token[] = [];
  do {
    all.push(scanner.next());
  } while (all[all.length - 1].kind !== TokenKind.End);
  return all;
}
