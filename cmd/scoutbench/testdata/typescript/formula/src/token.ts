export enum TokenKind {
  Number = "number",
  Text = "text",
  Name = "name",
  Operator = "operator",
  Open = "(",
  Close = ")",
  Comma = ",",
  End = "end",
}

export interface Position {
  line: number;
  column: number;
}

export interface Token {
  kind: TokenKind;
  text: string;
  at: Position;
}

export const tokenNames: Readonly<Record<TokenKind, string>> = {
  [TokenKind.Number]: "a number",
  [TokenKind.Text]: "a text",
  [TokenKind.Name]: "a name",
  [TokenKind.Operator]: "an operator",
  [TokenKind.Open]: "an opening bracket",
  [TokenKind.Close]: "a closing bracket",
  [TokenKind.Comma]: "a comma",
  [TokenKind.End]: "the end",
};

export function token(kind: TokenKind, text: string, at: Position): Token {
  return { kind, text, at };
}
