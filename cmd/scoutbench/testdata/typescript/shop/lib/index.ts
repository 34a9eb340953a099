import product from './product'

export { product }
export { Cart } from './cart'
export * from './payment'
export { EventBus as Bus, type Events } from './bus'
export * as results from './util/result'
