import { setTimeout } from "node:timers/promises"
import { answered, type Ask, askAs, readAll, readAt, readText, type Talk, at, listAt, textAt } from "../reading/ask.ts"

/** An account with a key of its own. */
export interface Party {
  readonly id: string
  readonly key: string
  readonly username: string
  readonly ask: Ask
}

/** A line that is for sale, and the listing that buyers see. */
export interface Offer {
  readonly inventoryId: string
  readonly listingId: string
}

/** Emberfall's product 10007, a card in Standard and Foil, in English and German. */
export const card = { productId: 10_007, finish: "Standard", language: "en", condition: "NM", quantity: 1 } as const
/** Emberfall's product 10046, which is sealed. */
export const box = { productId: 10_046, finish: "Standard", language: "en", quantity: 1 } as const
/** A graded copy of Emberfall's product 10007. */
export const slab = {
  productId: 10_007,
  finish: "Foil",
  language: "en",
  quantity: 1,
  graded: { gradingService: "PSA", grade: "9.5" }
} as const

type Fields = Readonly<Record<string, unknown>>

/** What sellers, buyers, carriers and the service do in a sandbox at this address. */
export const tradeAt = (origin: string, talk: Talk) => {
  const control = askAs(origin, null, talk)
  let accounts = 0

  /** A new account with a key to everything; it sells if it has a currency. */
  const party = async ({
    currency,
    type = "pro",
    ...more
  }: Fields & { readonly currency?: string } = {}): Promise<Party> => {
    const username = `facts-${++accounts}`
    const seller = currency === undefined ? {} : { seller: { type, currency } }
    const made = await answered(control("POST /sandbox/accounts", { username, ...seller, ...more }))
    const key = textAt(made, "key.key")
    return { id: textAt(made, "account.id"), key, username, ask: askAs(origin, key, talk) }
  }

  /** A seller in euros, from Germany. */
  const seller = (more: Fields = {}) => party({ country: "DE", currency: "EUR", ...more })

  /** Another key of the account. */
  const keyFor = async ({ id }: Party, ...scopes: ReadonlyArray<string>) => {
    const made = await answered(control(`POST /sandbox/accounts/${id}/keys`, { scopes }))
    const key = textAt(made, "key")
    return { id: textAt(made, "id"), key, ask: askAs(origin, key, talk) }
  }

  /** Lines put into stock. Fails if one of them is refused. */
  const stock = async ({ ask }: Party, ...lines: ReadonlyArray<Fields>): Promise<ReadonlyArray<unknown>> => {
    const made = await answered(ask("POST /v1/inventory", { lines }))
    if (listAt(made, "errors").length > 0) throw new Error(`a line was refused: ${JSON.stringify(made)}`)
    return listAt(made, "created")
  }

  /** A new seller with one line, and the line's address. */
  const withLine = async (more: Fields = {}) => {
    const me = await seller()
    const [line] = await stock(me, { ...card, ...more })
    return { me, line, path: `/v1/inventory/${textAt(line, "id")}` }
  }

  /** The seller ships to this country and to no other. */
  const shipTo = ({ id }: Party, country: string, service = "tracked", amount = 1) =>
    answered(control(`PUT /sandbox/accounts/${id}/selling`, { shipping: [{ country, amount, service }] }))

  /** The seller's listing of a line, as buyers find it. */
  const listingOf = async (from: Party, line: unknown): Promise<string> => {
    const amount = at(line, "listing.price.amount")
    let cursor = ""
    for (;;) {
      const path = `/v1/products/${String(at(line, "productId"))}/listings?limit=100&finish=${String(at(line, "finish"))}`
      const page = await answered(from.ask(`GET ${path}${cursor}`))
      const found = listAt(page, "data").findLast(
        (each) =>
          at(each, "seller.id") === from.id &&
          at(each, "price.amount") === amount &&
          at(each, "condition") === at(line, "condition")
      )
      if (found !== undefined) return textAt(found, "listingId")
      if (at(page, "pagination.nextCursor") === null) throw new Error(`no listing shows ${JSON.stringify(line)}`)
      cursor = `&cursor=${encodeURIComponent(textAt(page, "pagination.nextCursor"))}`
    }
  }

  /** A line that is for sale at this price. */
  const offer = async (from: Party, amount: number, more: Fields = {}, currency = "EUR"): Promise<Offer> => {
    const listing = { price: { amount, currency } }
    const [line] = await stock(from, { ...card, quantity: 1000, ...more, listing })
    return { inventoryId: textAt(line, "id"), listingId: await listingOf(from, line) }
  }

  /** Sold and paid for; answers the order's number. */
  const buy = async (buyer: Party, offers: ReadonlyArray<Offer>, more: Fields = {}): Promise<string> => {
    const items = offers.map(({ listingId }) => ({ listingId, quantity: 1 }))
    return await readText(control("POST /sandbox/checkout", { buyerId: buyer.id, items, ...more }), "orders.0")
  }

  let parcels = 0
  const ship = (from: Party, order: string, more: Fields = {}) =>
    from.ask(`POST /v1/sales/${order}/mark-shipped`, { trackingNumber: `FACTS-PARCEL-${++parcels}`, ...more })
  const step = (order: string, to: string, more: Fields = {}) =>
    control(`POST /sandbox/orders/${order}/steps`, { to, ...more })
  const scan = (order: string, status: string, more: Fields = {}) =>
    control(`POST /sandbox/orders/${order}/scans`, { status, ...more })

  /** Lets this many seconds of the marketplace's time pass. */
  const wait = (seconds: number) => answered(control("POST /sandbox/clock", { seconds }))

  /** The account's events of a type, oldest first. */
  const eventsOf = async ({ id }: Party, type: string): Promise<ReadonlyArray<unknown>> =>
    (await readAll(control(`GET /sandbox/events?accountId=${id}`), "data.*.event")).filter(
      (event) => at(event, "type") === type
    )

  /** The job when it has ended. */
  const ended = async ({ ask }: Party, jobId: string): Promise<unknown> => {
    for (let tries = 0; tries < 2000; tries++) {
      const job = await readAt(ask(`GET /v1/inventory/bulk/jobs/${jobId}`), "job")
      if (["completed", "failed"].includes(textAt(job, "status"))) return job
      await setTimeout(5)
    }
    throw new Error(`job ${jobId} does not end`)
  }

  /** Sends a file as an import. */
  const upload = (
    { ask }: Party,
    content: string | Uint8Array<ArrayBuffer>,
    name = "stock.csv",
    fields: Fields = {},
    preset = ""
  ) => {
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) form.append(field, String(value))
    form.append("file", new Blob([content], { type: name.endsWith("json") ? "application/json" : "text/csv" }), name)
    return ask(`POST /v1/inventory/bulk/import${preset}`, form)
  }

  /** An import that has ended. */
  const imported = async (into: Party, content: string, fields: Fields = {}, preset = "") =>
    ended(into, textAt(await answered(upload(into, content, "stock.csv", fields, preset), 202), "job.id"))

  /** An import that has failed. */
  const failed = async (into: Party) => ended(into, textAt(await answered(upload(into, "x\n1\n"), 202), "job.id"))

  /** An export that has ended. */
  const exported = async (from: Party, body: Fields = { format: "json" }) =>
    ended(from, textAt(await answered(from.ask("POST /v1/inventory/bulk/export", body), 202), "job.id"))

  return {
    control,
    party,
    seller,
    keyFor,
    stock,
    withLine,
    shipTo,
    listingOf,
    offer,
    buy,
    ship,
    step,
    scan,
    wait,
    eventsOf,
    ended,
    upload,
    imported,
    failed,
    exported
  }
}
export type Trade = ReturnType<typeof tradeAt>
