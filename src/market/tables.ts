import { sqlText } from "./state/sqlText.ts"

/** The tables of every room, in the order in which they refer to each other. A room adds its own file here. */
export const tables: ReadonlyArray<string> = [
  new URL("./state/state.sql", import.meta.url),
  new URL("./accounts/accounts.sql", import.meta.url),
  new URL("./events/events.sql", import.meta.url),
  new URL("./events/webhooks.sql", import.meta.url),
  new URL("./inventory/inventory.sql", import.meta.url),
  new URL("./offers/offers.sql", import.meta.url),
  new URL("./jobs/jobs.sql", import.meta.url),
  new URL("./buying/buying.sql", import.meta.url),
  new URL("./orders/orders.sql", import.meta.url)
].map(sqlText)
