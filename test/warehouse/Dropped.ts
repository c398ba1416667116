import { Context, Effect, Layer } from "effect"
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { exportDrop, type Exported, type ExportOptions } from "../../src/warehouse/exportDrop.ts"
import { leftAloneBy } from "../../src/warehouse/leftAloneBy.ts"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { marketplaceAndHome } from "../pipelines/nights.ts"

const sample = fileURLToPath(new URL("../../data/sample", import.meta.url))
export const gameId = "tidewrack"

/** An empty folder that is deleted with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "cardlake [drop] {a,b} "))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** An export of everything, unless a test says otherwise. */
export const exportTo = (to: string, more: Partial<ExportOptions> = {}) =>
  exportDrop({
    to,
    games: [],
    tables: [],
    span: { since: null, until: null, backfill: true },
    compression: "snappy",
    decimals: null,
    format: null,
    ...more
  })

/** What a night exports: only what is new since the drop's first day. */
export const asUsual = { span: { since: null, until: null, backfill: false } }

/** Why an export left tables alone. */
export const leftAlone = (to: string, more: Partial<ExportOptions>) =>
  Effect.map(exportTo(to, more), (exported) => leftAloneBy(exported).join("\n"))

/** What became of each partition that an export looked at, as `table day did`. */
export const didTo = ({ games }: Exported): ReadonlyArray<string> =>
  games.flatMap(({ partitions }) => partitions.map(({ did, dt, table }) => `${table} ${dt} ${did}`)).sort()

export interface ContractText {
  readonly table: string
  readonly key: ReadonlyArray<string>
  readonly columns: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly fieldId: number
    readonly lakeColumn: string
    readonly comment: string
  }>
}

/** The contracts in a drop, by table. */
export const contractsIn = (folder: string): ReadonlyArray<ContractText> =>
  globSync("*/contract.json", { cwd: folder })
    .sort()
    .map((path) => JSON.parse(readFileSync(join(folder, path), "utf8")) as ContractText)

/** Files of a table, as a reader who only sees files finds them. */
export const filesOf = (folder: string, table: string): ReadonlyArray<string> =>
  globSync(`${table}/v=1/game=*/dt=*/*.parquet`, { cwd: folder })
    .sort()
    .map((path) => join(folder, path))

/** SQL of a table's rows in a drop. */
export const dropRows = (folder: string, table: string): string =>
  `from read_parquet([${filesOf(folder, table).map(sqlText).join(", ")}], hive_partitioning = false)`

/** Two nights of the sample game on one day, exported with decimals and as text. */
export class Dropped extends Context.Service<
  Dropped,
  {
    readonly folder: string
    readonly asText: string
  }
>()("cardlake/test/Dropped") {
  static readonly layer = Layer.effectContext(
    Effect.gen(function* () {
      const { night, sandbox, services } = yield* marketplaceAndHome({ catalogue: sample, odd: true })
      yield* night(gameId)
      yield* sandbox.deploy(gameId)
      yield* night(gameId)
      const folder = yield* temporaryFolder
      const asText = yield* temporaryFolder
      yield* Effect.provideContext(exportTo(folder), services)
      yield* Effect.provideContext(exportTo(asText, { decimals: "text" }), services)
      return Context.add(services, Dropped, { folder, asText })
    })
  )
}
