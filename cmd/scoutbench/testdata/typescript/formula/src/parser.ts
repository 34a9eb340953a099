import { BinaryNode, CallNode, Expression, Operator } from "./ast";
import { FormulaError } from "./problem";
import { scan } from "./scanner";
import { Token, TokenKind, tokenNames } from "./token";

const precedence: Record<Operator, number> = { "=": 1, "<": 1, "&": 2, "+": 3, "-": 3, "*": 4, "/": 4 };

export class Parser {
  private at = 0;

  constructor(private readonly tokens: Token[]) {}

  expression(above = 0): Expression {
    let left = this.operand();
    while (this.peek().kind === TokenKind.Operator && precedence[this.peek().text as Operator] > above) {
      left = this.binary(left);
    }
    return left;
  }

  expect(kind: TokenKind): Token {
    const token = this.peek();
    if (token.kind !== kind) {
      throw new FormulaError(`expected ${tokenNames[kind]}, got ${tokenNames[token.kind]}`, token.at);
    }
    return this.take();
  }

  private binary(left: Expression): BinaryNode {
    const token = this.take();
    const operator = token.text as Operator;
    return { kind: "binary", operator, left, right: this.expression(precedence[operator]), at: token.at };
  }

  private operand(): Expression {
    const token = this.take();
    switch (token.kind) {
      case TokenKind.Number:
        return { kind: "number", value: Number(token.text), at: token.at };
      case TokenKind.Text:
        return { kind: "text", value: token.text.slice(1, -1), at: token.at };
      case TokenKind.Name:
        return this.peek().kind === TokenKind.Open ? this.call(token) : { kind: "cell", name: token.text, at: token.at };
      case TokenKind.Open: {
        const inner = this.expression();
        this.expect(TokenKind.Close);
        return inner;
      }
      default:
        throw new FormulaError(`unexpected ${tokenNames[token.kind]}`, token.at);
    }
  }

  private call(name: Token): CallNode {
    this.expect(TokenKind.Open);
    const args: Expression[] = [];
    while (this.peek().kind !== TokenKind.Close) {
      args.push(this.expression());
      if (this.peek().kind === TokenKind.Comma) {
        this.take();
      }
    }
    this.expect(TokenKind.Close);
    return { kind: "call", callee: name.text, args, at: name.at };
  }

  private peek(): Token {
    return this.tokens[this.at];
  }

  private take(): Token {
    return this.tokens[this.at++];
  }
}

export function parse(source: string): Expression {
  const parser = new Parser(scan(source));
  const result = parser.expression();
  parser.expect(TokenKind.End);
  return result;
}
