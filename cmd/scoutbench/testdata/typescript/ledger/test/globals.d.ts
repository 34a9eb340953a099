declare function test(name: string, body: () => void | Promise<void>): void;

interface Expectation<T> {
  toBe(want: T): void;
  toEqual(want: unknown): void;
  toThrow(text?: string): void;
}

declare function expect<T>(value: T): Expectation<T>;
