/** The control room's pages that are always there. */
export const roomPages: ReadonlyArray<string> = [
  "/sandbox",
  ...["requests", "orders", "events", "webhooks", "accounts", "faults", "tables", "calls"].map(
    (name) => `/sandbox/room/${name}`
  )
]
