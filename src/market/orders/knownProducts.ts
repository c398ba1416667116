import { Effect } from "effect"
import { soldProducts } from "../catalogue/soldProducts.ts"
import type { Store } from "../state/Store.ts"
import { itemsOf } from "./OrderRow.ts"

/** The products of these orders that are still in the catalogue. An order's items never change. */
export const knownProducts = (store: Store, orderNumbers: ReadonlyArray<string>) =>
  Effect.suspend(() =>
    soldProducts(orderNumbers.flatMap((number) => itemsOf(store, number).map(({ product_id }) => String(product_id))))
  )
