import { Expression } from "./ast";
import { check } from "./check";
import { evaluate, Scope } from "./evaluate";
import { parse } from "./parser";
import { print } from "./print";
import { Problem, problemOf } from "./problem";
import { typeOf, Value, ValueType } from "./value";

export interface Cell {
  name: string;
  formula?: Expression;
  value?: Value;
}

export interface SheetListener {
  changed(cell: Cell): void;
  failed?(problem: Problem): void;
}

export class Sheet implements Scope {
  readonly strict = false;
  private readonly cells = new Map<string, Cell>();
  private readonly listeners: SheetListener[] = [];

  listen(listener: SheetListener): void {
    this.listeners.push(listener);
  }

  cell(name: string): Value | undefined {
    const cell = this.cells.get(name);
    return cell?.formula ? evaluate(cell.formula, this) : cell?.value;
  }

  set(name: string, source: string): Problem[] {
    try {
      const formula = parse(source);
      this.put({ name, formula });
      return check(formula);
    } catch (error) {
      const problem = problemOf(error);
      this.listeners.forEach((l) => l.failed?.(problem));
      return [problem];
    }
  }

  assign(name: string, value: Value): void {
    this.put({ name, value });
  }

  type(name: string): ValueType {
    return typeOf(this.cell(name) ?? "");
  }

  source(name: string): string {
    const cell = this.cells.get(name);
    return cell?.formula ? print(cell.formula) : String(cell?.value ?? "");
  }

  private put(cell: Cell): void {
    this.cells.set(cell.name, cell);
    this.listeners.forEach((l) => l.changed(cell));
  }
}
