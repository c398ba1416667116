import { Effect, Schema } from "effect"
import { openDestination } from "../destination/openDestination.ts"
import { Drop, dropFile, DropState, hasTable, ownersOf, readDocument, stateFile } from "../drop/Drop.ts"
import { dropTables } from "../drop/dropTables.ts"
import { NoDrop } from "../verifyDrop.ts"
import { athena } from "./athena.ts"
import { bigquery } from "./bigquery.ts"
import { clickhouse } from "./clickhouse.ts"
import { databricks } from "./databricks.ts"
import { duckdb } from "./duckdb.ts"
import type { Engine, LoadPlan } from "./LoadPlan.ts"
import { postgres } from "./postgres.ts"
import { redshift } from "./redshift.ts"
import { snowflake } from "./snowflake.ts"
import { trino } from "./trino.ts"

/** The warehouses that a load script is printed for. */
const engines = {
  bigquery,
  snowflake,
  redshift,
  athena,
  databricks,
  trino,
  clickhouse,
  postgres,
  duckdb
} satisfies Record<string, Engine>
export type EngineName = keyof typeof engines

/** Tables that engines read as they are. */
export class NothingToLoad extends Schema.TaggedError<NothingToLoad>()("NothingToLoad", {
  address: Schema.String,
  format: Schema.String
}) {
  override get message() {
    return `${this.address} is kept as ${this.format} tables: engines read them as they are, without a script. To load files, export with --format files to another destination`
  }
}

/** What a script loads of the drop at an address. */
export const loadPlanOf = Effect.fnUntraced(function* (address: string, since: string | null) {
  const to = yield* openDestination(address)
  const drop = yield* readDocument(to, dropFile, Drop)
  if (drop === null) return yield* new NoDrop({ address })
  if (drop.tableFormat !== undefined) return yield* new NothingToLoad({ address, format: drop.tableFormat })
  const games = yield* ownersOf(to, drop)
  const states = yield* Effect.forEach(games, (game) =>
    Effect.map(readDocument(to, stateFile(game), DropState), (state) => ({ game, days: state?.days ?? {} }))
  )
  const partitions = states.flatMap(({ days, game }) =>
    Object.entries(days)
      .filter(([dt]) => since === null || dt >= since)
      .flatMap(([dt, { tables }]) =>
        Object.entries(tables)
          .filter(([, madeFrom]) => hasTable(madeFrom))
          .map(([table]) => ({ table, game, dt }))
      )
  )
  const there = new Set(states.flatMap(({ days }) => Object.values(days).flatMap(({ tables }) => Object.keys(tables))))
  const tables = dropTables(drop.decimals).filter(({ name }) => there.has(name))
  return { location: to.root, tables, games, since, partitions } satisfies LoadPlan
}, Effect.scoped)

/** What psql does itself ends with its line. */
const isOfPsql = (statement: string) => statement.startsWith("\\") || statement.endsWith("\\gexec")

/** The script that loads a drop into a warehouse. Running it again changes nothing. */
export const loadScript = Effect.fn("loadScript")(function* (address: string, name: EngineName, since: string | null) {
  const plan = yield* loadPlanOf(address, since)
  const { statements, title, usage } = engines[name]
  const from = since === null ? "every day" : `every day from ${since} on`
  const head = `-- Cardlake's drop in ${plan.location} into ${title}: ${from}, as often as you like.\n-- Run it: ${usage}\n`
  return `${head}\n${statements(plan)
    .map((statement) => (isOfPsql(statement) ? statement : `${statement};`))
    .join("\n\n")}\n`
})
