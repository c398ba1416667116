// Prints a price list of everything for sale as CSV. Needs CARDLAKE_URL and CARDLAKE_API_KEY. Start: node prices.ts
// emberfall
import { createClient } from "cardlake/client"

const { CARDLAKE_API_KEY: key = "", CARDLAKE_URL: url = "" } = process.env
const [game = "emberfall"] = process.argv.slice(2)
const api = createClient({ url, key })

const row = (cells: ReadonlyArray<string | number | null | undefined>): string =>
  cells
    .map((cell) => (/[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : (cell ?? "")))
    .join(",")

console.log(row(["id", "name", "expansion", "offers", "price", "currency", "finish", "condition", "seller"]))
const wanted = { gameFilters: { game }, listings: { inStock: true }, sortBy: "name", limit: 200 } as const
for await (const { availability, expansion, id, name } of api.products.search(wanted)) {
  const { cheapest, listingCount } = availability ?? {}
  const { condition, finish, price, seller } = cheapest ?? {}
  const offer = [price?.amount, price?.currency, finish, condition, seller?.username]
  console.log(row([id, name, expansion?.code, listingCount, ...offer]))
}
