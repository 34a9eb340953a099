import product, { label } from './product'

export function printAll (names) {
  return names.map((name, i) => label(product('L' + i, name, 1)))
}
