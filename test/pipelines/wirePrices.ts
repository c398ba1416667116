const figures = {
  low: "low",
  mid: "mid",
  high: "high",
  marketValue: "market_value",
  change24h: "change_24h",
  change7d: "change_7d",
  change30d: "change_30d"
}

/** Node gives a reviver the number's own text; TypeScript's library does not know it yet. */
const parseWithTexts = (line: string): Record<string, unknown> =>
  JSON.parse(line, ((_key: string, value: unknown, context: { source: string }) =>
    typeof value === "number" ? context.source : value) as (key: string, value: unknown) => unknown) as Record<
    string,
    unknown
  >

type Blocks = Record<string, Record<string, string | null> | undefined>

/**
 * Every source price of a product record on the wire, as `product/finish/source/column` with the
 * number's own text, without trailing zeros.
 */
export const wirePrices = (line: string): ReadonlyArray<readonly [string, string]> => {
  const product = parseWithTexts(line)
  const byFinish =
    product["productType"] === "sealed"
      ? { Standard: product["prices"] as Blocks }
      : (product["pricesByFinish"] as Record<string, Blocks>)
  return Object.entries(byFinish).flatMap(([finish, blocks]) =>
    (["sourceEur", "sourceUsd"] as const).flatMap((source) =>
      Object.entries(figures).flatMap(([key, column]) => {
        const text = blocks[source]?.[key]
        return text === undefined || text === null
          ? []
          : [[`${product["id"] as string}/${finish}/${source}/${column}`, withoutTrailingZeros(text)] as const]
      })
    )
  )
}

const withoutTrailingZeros = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text)

/** The same from rows of source_prices. */
export const lakePrices = (rows: ReadonlyArray<Record<string, unknown>>): ReadonlyArray<readonly [string, string]> =>
  rows.flatMap((row) =>
    Object.values(figures).flatMap((column) =>
      row[column] === null || row[column] === undefined
        ? []
        : [
            [
              `${String(row["product_id"])}/${String(row["finish"])}/${String(row["source"])}/${column}`,
              String(row[column])
            ] as const
          ]
    )
  )
