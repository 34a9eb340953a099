import { Bus, Cart, CardProvider, product, results } from '../lib'
import { Provider } from '../lib/payment'
import { ok, Result } from '../lib/util/result'

const tea = product('t', 'Tea', 4)

class FreeProvider extends Provider {
  protected charge (): Result<string> {
    return ok('nobody')
  }
}

const fakeBus = (): Bus => {
  const bus = new Bus()
  bus.on('added', e => expect(e.count > 0).toBe(true))
  return bus
}

describe('cart', () => {
  it('adds', () => {
    const cart = new Cart(fakeBus(), 'ann').add(tea).add(tea, 2)
    expect(cart.total()).toBe(12)
    expect(cart.total({ t: { kind: 'percent', off: 50 } })).toBe(6)
  })

  it('pays', () => {
    const bus = fakeBus()
    const cart = new Cart(bus, 'bob').add({ ...tea, price: 200 })
    expect(new CardProvider().pay(cart, bus).ok).toBe(false)
    expect(results.unwrap(new FreeProvider().pay(new Cart(bus, 'eve'), bus)).paidBy).toBe('nobody')
  })
})
