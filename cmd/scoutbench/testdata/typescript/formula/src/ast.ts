import type { Position } from "./token";

interface Base {
  at: Position;
}

export interface NumberNode extends Base {
  kind: "number";
  value: number;
}

export interface TextNode extends Base {
  kind: "text";
  value: string;
}

export interface CellNode extends Base {
  kind: "cell";
  name: string;
}

export interface BinaryNode extends Base {
  kind: "binary";
  operator: Operator;
  left: Expression;
  right: Expression;
}

export interface CallNode extends Base {
  kind: "call";
  callee: string;
  args: Expression[];
}

export type Operator = "+" | "-" | "*" | "/" | "<" | "=" | "&";

export type Expression = NumberNode | TextNode | CellNode | BinaryNode | CallNode;

export interface Visitor<T> {
  number(node: NumberNode): T;
  text(node: TextNode): T;
  cell(node: CellNode): T;
  binary(node: BinaryNode): T;
  call(node: CallNode): T;
}

export function visit<T>(node: Expression, visitor: Visitor<T>): T {
  switch (node.kind) {
    case "number":
      return visitor.number(node);
    case "text":
      return visitor.text(node);
    case "cell":
      return visitor.cell(node);
    case "binary":
      return visitor.binary(node);
    case "call":
      return visitor.call(node);
  }
}

export function children(node: Expression): Expression[] {
  if (node.kind === "binary") {
    return [node.left, node.right];
  }
  return node.kind === "call" ? node.args : [];
}
