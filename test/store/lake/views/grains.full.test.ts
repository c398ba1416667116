import { assert } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { ownText } from "../../../../src/feed/disk/ownText.ts"
import { parseTableFile } from "../../../../src/feed/schema/tableFile.ts"
import { emptyHome, publishNights } from "../handMadeNights.ts"
import { card, expansion, sealed } from "../invented.ts"
import { lakeRows } from "../tableRows.ts"
import { suite } from "../../../support/suite.ts"

const ids = (...entries: ReadonlyArray<readonly [finish: string, id: number]>) => ({
  externalIds: { sourceEur: entries.map(([finish, id]) => ({ finish, id })) }
})
const eur = (marketValue: number) => ({ sourceEur: { currency: "EUR", low: 2, mid: marketValue, marketValue } })
const usd = (marketValue: number) => ({ sourceUsd: { currency: "USD", marketValue } })
const bucket = { low: 4, listingCount: 1, availableQuantity: 1 }
const region = (currency: string) => ({
  currency,
  low: 4,
  listingCount: 1,
  availableQuantity: 1,
  byCondition: { NM: { ...bucket, byLanguage: { en: bucket, ja: bucket } }, LP: bucket }
})
const listed = {
  low: { amount: 4, currency: "EUR" },
  listingCount: 2,
  availableQuantity: 2,
  regions: { eu: region("EUR"), na: region("USD") }
}
const twice = { languages: ["en", "en"], finishes: ["Standard", "Foil", "Foil"] }
const inMarsh = (code: string) => ({ expansionId: 71, expansion: { id: 71, code, name: "Marsh" } })

/**
 * What a feed may repeat: finishes, languages and ids stand twice; products share ids, also of both finishes; an id
 * was two products' and is a third one's now; an expansion has two codes; one source prices a finish far off.
 */
const night = (place: number) => ({
  products: [
    card(1, { ...inMarsh("M71"), ...twice, ...ids(["Standard", place === 0 ? 500 : 510]) }),
    card(2, { ...inMarsh("M-71"), ...twice, ...ids(["Standard", place === 0 ? 500 : 520]) }),
    card(3, { ...twice, ...ids(["Standard", place === 0 ? 530 : 500], ["Standard", 531], ["Standard", 531]) }),
    card(4, { ...twice, ...ids(["Standard", 540], ["Standard", 540], ["Foil", 540]) }),
    card(5, { ...twice, ...ids(["Standard", 540], ["Standard", 540], ["Foil", 540]) }),
    card(6, {
      ...inMarsh("M71"),
      ...twice,
      pricesByFinish: {
        Standard: { ...eur(10 + place), ...usd(100) },
        Foil: { ...eur(20 + place), ...usd(20) },
        Etched: eur(30),
        Signed: { marketplace: listed }
      }
    }),
    sealed(7, { ...inMarsh("M71"), prices: eur(90 + place) })
  ],
  expansions: [expansion(71), expansion(72)]
})

/** Macros that no view shows: as somebody asks them. */
const asked: Readonly<Record<string, string>> = {
  set_value_series: "set_value_series(71)",
  price_series: "price_series(6)",
  price_series_in: "price_series_in(6)",
  volatility: "volatility(min_days := 2)",
  movers: "movers(days := 2)",
  release_decay: "release_decay(max_weeks := 9999)",
  find_products: "find_products('wicker', most := 1000)"
}
const at = (name: string) => (name.endsWith("_at") ? `${name}('2026-05-03')` : `${name}()`)

const promised = [
  "feed/schema/tables",
  "store/lake/history",
  "store/lake/views",
  "store/lake/published",
  "store/lake/macros"
].flatMap((folder) => {
  const files = readdirSync(fileURLToPath(new URL(`../../../../src/${folder}`, import.meta.url)))
  const texts = files
    .filter((file) => file.endsWith(".sql"))
    .map((file) => ownText(new URL(`../../../../src/${folder}/${file}`, import.meta.url)))
  return texts
    .filter((text) => text.includes("-- grain:"))
    .map(parseTableFile)
    .map(({ grain, name }) => ({
      name,
      grain,
      rows: folder === "store/lake/macros" ? (asked[name] ?? at(name)) : name
    }))
})

suite(emptyHome, "whatever a feed repeats", (it) => {
  it("no table, view or macro has two rows of one grain", function* () {
    yield* publishNights([0, 1].map(night))
    const broken: Array<string> = []
    let counted = 0
    for (const { grain, name, rows } of promised) {
      const key = grain.replaceAll(/[()]/g, "")
      const found = yield* lakeRows(
        `select sum(n)::int as n, max(n)::int as most from (select count(*) as n from ${rows} group by ${key})`
      )
      counted += Number(found[0]?.["n"] ?? 0) > 0 ? 1 : 0
      if (Number(found[0]?.["most"] ?? 0) > 1) broken.push(name)
    }
    assert.deepStrictEqual(broken, [])
    // The others need a changelog, refusals or exchange rates.
    assert.isAbove(counted, 30)
  })
})
