import { add, convert, digits, firstOf, format, money, sum, tableRates } from "../src";
import { negate } from "../src/money";
import { fixedRates } from "../src/rates";

test("adds what is of one currency", () => {
  expect(add(money(1, "EUR"), money(2, "EUR"))).toEqual(money(3, "EUR"));
  expect(() => add(money(1, "EUR"), money(2, "USD"))).toThrow("cannot add");
});

test("formats", () => {
  expect(format(money(1234, "EUR"))).toBe("€12.34");
  expect(format({ amount: 5, currency: "JPY" })).toBe("¥5");
  expect(digits("USD")).toBe(2);
});

test("negates and sums", () => {
  expect(sum([money(2, "USD"), negate(money(2, "USD"))], "USD").amount).toBe(0);
});

test("converts", () => {
  const rates = firstOf(fixedRates, tableRates({ EUR: 1, USD: 1.25 }));
  expect(convert(money(100, "EUR"), "USD", rates).amount).toBe(125);
  expect(convert(money(100, "EUR"), "EUR", rates).amount).toBe(100);
});
