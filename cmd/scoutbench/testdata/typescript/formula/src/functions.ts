import { toNumber, Value, ValueType } from "./value";

export interface Definition {
  name: string;
  result: ValueType;
  run(args: Value[]): Value;
}

export abstract class Aggregate implements Definition {
  readonly result = "number";

  abstract readonly name: string;
  protected abstract fold(all: number[]): number;

  run(args: Value[]): Value {
    return this.fold(args.map(toNumber));
  }
}

class Sum extends Aggregate {
  readonly name = "sum";

  protected override fold(all: number[]): number {
    return all.reduce((a, b) => a + b, 0);
  }
}

class Max extends Aggregate {
  readonly name = "max";

  protected override fold(all: number[]): number {
    return Math.max(...all);
  }
}

const upper: Definition = { name: "upper", result: "string", run: ([text]) => String(text).toUpperCase() };

const choose: Definition = {
  name: "if",
  result: "boolean",
  run([condition, yes, no]) {
    return condition ? yes : no;
  },
};

const known = new Map<string, Definition>();

export function register(definition: Definition): void {
  known.set(definition.name, definition);
}

export function lookup(name: string): Definition | undefined {
  return known.get(name.toLowerCase());
}

for (const definition of [new Sum(), new Max(), upper, choose]) {
  register(definition);
}
