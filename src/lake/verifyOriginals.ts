import { join } from "node:path"
import { Effect, Schema } from "effect"
import type { MonthPlan } from "./planMonths.ts"
import { priceTables } from "./partTables.ts"
import { fileSha256 } from "./writeFile.ts"

/** A file that a part is made from is not what was written once. */
export class OriginalDamaged extends Schema.TaggedError<OriginalDamaged>()("OriginalDamaged", { file: Schema.String }) {
  override get message() {
    return `${this.file} is damaged: it has another sha256 than when it was written. Bring it back from a backup; until then its month stays as it is`
  }
}

/** Holds the files that a part is made from against the sha256 on record: of its nights' prices, and of the month's present part. */
export const verifyOriginals = Effect.fn("verifyOriginals")(function* ({ nights, present }: MonthPlan) {
  const own = nights
    .filter((night) => night.pricesIn === null)
    .flatMap((night) =>
      priceTables.map(({ name }) => ({ file: night.file(`${name}.parquet`), sha256: night.tables[name]?.sha256 }))
    )
  const inPart = Object.entries(present?.part.tables ?? {}).map(([name, { sha256 }]) => ({
    file: join(present?.folder ?? "", `${name}.parquet`),
    sha256
  }))
  for (const { file, sha256 } of [...own, ...inPart]) {
    if (file !== null && (yield* fileSha256(file)) !== sha256) return yield* new OriginalDamaged({ file })
  }
})
