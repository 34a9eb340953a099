import { discounted, label, Product, shipping } from '../lib/product'
import { Payment } from '../lib/payment'

const pen: Product = { sku: 'p', name: 'Pen', price: 2, tags: ['new'] }

it('labels', () => {
  expect(label(pen)).toBe('Pen (p)')
  expect(shipping.S).toBe(2)
})

it('gives', () => {
  expect(discounted(pen, { kind: 'gift', product: pen })).toBe(0)
  expect(Payment.receipt(1, 'x').total).toBe(1)
})
