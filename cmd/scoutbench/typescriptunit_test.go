package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestTypeScriptUnits(t *testing.T) {
	source := `import { a } from "./a";
export * from "./b";
export { c };
const one = { x: 1 };
export const two: Record<string, number> = {
  a: 1,
};
export type T = { a: string } | { b: number };
/** Doc. */
export default async function f(a: { b: string }): Promise<void> {
  if (a) {
    return;
  }
}
export abstract class C<T> extends D {
  private readonly x: T[] = [];
  constructor(readonly y: number) {
    super();
  }
  get z(): { a: string } {
    return { a: "" };
  }
  static async *all(): AsyncGenerator<T> {}
}
test("adds", () => {
  expect(1);
});
enum E { A, B }
`
	var got []string
	for _, u := range typescriptUnits("a.ts", []byte(source)) {
		got = append(got, fmt.Sprintf("%s %d-%d", u.name, u.start, u.end))
	}
	want := `one 4-4, two 5-7, T 8-8, f 10-14, C 15-24, C.x 16-16, C.constructor 17-19, C.z 20-22, C.all 23-23, test "adds" 25-27, E 28-28`
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got\n%s, want\n%s", text, want)
	}
}
