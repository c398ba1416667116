import { stat } from "node:fs/promises"
import { Effect, Schema } from "effect"
import { shellWord } from "../contract/shellWord.ts"
import type { Session } from "../lake/duckdb/Lake.ts"
import { lakeStep } from "../lake/duckdb/LakeError.ts"
import { privateFolder } from "../lake/duckdb/privateFolder.ts"
import { scratchSession } from "../lake/duckdb/scratchSession.ts"
import { sqlText } from "../lake/duckdb/sqlText.ts"
import { fileSha256 } from "../lake/home/disk.ts"
import { ofDestination } from "./destination/ofDestination.ts"
import { openDestination } from "./destination/openDestination.ts"
import type { Destination } from "./destination/Destination.ts"
import {
  damaged,
  Drop,
  dropFile,
  hasTable,
  DropState,
  ownersOf,
  partitionFolder,
  partName,
  type PartitionManifest,
  readDocument,
  readManifest,
  stateFile,
  withTables,
  writeDocument
} from "./drop/Drop.ts"
import { dropTables, type DropTable } from "./drop/dropTables.ts"
import { figureSums } from "./drop/figureSums.ts"
import type { ReadPartition } from "./drop/readBack.ts"

/** A partition that is not what its manifest says. */
export interface DropFault {
  readonly partition: string
  readonly what: string
}

/** What was read back. */
export interface VerifiedDrop {
  readonly to: string
  readonly partitions: number
  readonly rows: number
  readonly bytes: number
  readonly faults: ReadonlyArray<DropFault>
}

/** No drop is there. */
export class NoDrop extends Schema.TaggedError<NoDrop>()("NoDrop", { address: Schema.String }) {
  override get message() {
    return `There is no drop in ${this.address}. Write one with: cardlake export --to ${shellWord(this.address)}`
  }
}

interface PartitionAt {
  readonly table: DropTable
  readonly folder: string
  readonly stage: string
}

/** What is wrong with a partition; null = nothing. Hashes its file, counts its rows and sums its figures again. */
const faultOf = Effect.fnUntraced(function* (
  session: Session,
  to: Destination,
  { folder, stage, table }: PartitionAt,
  manifest: PartitionManifest | typeof damaged | null
) {
  if (manifest === null) return "it has no manifest"
  if (manifest === damaged) return "its _manifest.json is not what Cardlake wrote there"
  const file = yield* to.fetch(`${folder}/${partName}`, stage)
  if (file === null) return "its file is gone"
  const { size } = yield* lakeStep(`Look at ${file}`, () => stat(file))
  if (size !== manifest.bytes) return `its file has ${size} bytes instead of ${manifest.bytes}`
  if ((yield* fileSha256(file)) !== manifest.sha256) return "its file has a different sha256"
  const [counted] = yield* session.rows(
    `Count ${folder}`,
    `select count(*) as n from read_parquet(${sqlText(file)}, hive_partitioning = false)`
  )
  if (Number(counted?.["n"]) !== manifest.rows)
    return `it has ${String(counted?.["n"])} rows instead of ${manifest.rows}`
  const sums = yield* figureSums(session, table, file)
  const other = Object.keys(manifest.sums).find((name) => sums[name] !== manifest.sums[name])
  if (other !== undefined) return `${other} sums up to ${sums[other]} instead of ${manifest.sums[other]}`
  return (yield* to.read(`${folder}/_SUCCESS`)) === null ? "it has no _SUCCESS" : null
})

/** How a drop's format reads one of its tables back. */
const tableReader = Effect.fnUntraced(function* (session: Session, to: Destination, drop: Drop, stage: string) {
  if (drop.tableFormat === "delta") {
    const { verifyDelta } = yield* Effect.promise(() => import("./delta/verifyDelta.ts"))
    return (table: DropTable) => verifyDelta(to, session, stage, table)
  }
  if (drop.tableFormat === "ducklake") {
    const { verifyDuckLake } = yield* Effect.promise(() => import("./ducklake/verifyDuckLake.ts"))
    const { findCatalogue } = yield* Effect.promise(() => import("./ducklake/openCatalogue.ts"))
    const database = yield* findCatalogue(to)
    return (table: DropTable) => (database === null ? Effect.succeed([]) : verifyDuckLake(to, database, stage, table))
  }
  const { openCatalogue } = yield* Effect.promise(() => import("./iceberg/openCatalogue.ts"))
  const { verifyIceberg } = yield* Effect.promise(() => import("./iceberg/verifyIceberg.ts"))
  const catalogue = yield* openCatalogue(to, drop)
  return (table: DropTable) => verifyIceberg(to, catalogue, stage, table)
})

/** The tables of a format, and those that an export leaves alone. */
const readTables = Effect.fnUntraced(function* (
  session: Session,
  to: Destination,
  drop: Drop,
  stage: string,
  tables: Iterable<DropTable>
) {
  const readTable = yield* tableReader(session, to, drop, stage)
  const all: Array<ReadPartition> = []
  const leftAlone: Array<DropFault> = []
  for (const table of tables) {
    yield* readTable(table).pipe(
      Effect.map((read) => all.push(...read)),
      Effect.catchTag("TableUnfit", ({ message }) =>
        Effect.sync(() => leftAlone.push({ partition: table.name, what: message }))
      )
    )
  }
  return { all, leftAlone }
})

/** A game whose state is gone. */
const lostState = (gameId: string): DropFault => ({
  partition: stateFile(gameId),
  what: "it is gone, so which nights of the game are in the drop is not known"
})

/** Notes in a game's state what the next export is to write again. */
const mark = (to: Destination, gameId: string, marked: DropState) =>
  writeDocument(to, stateFile(gameId), DropState, marked).pipe(
    Effect.as<ReadonlyArray<DropFault>>([]),
    Effect.catchTag("DestinationFailed", ({ message }) => {
      const what = `the next export does not know of this, because it cannot be written: ${message}`
      return Effect.succeed<ReadonlyArray<DropFault>>([{ partition: stateFile(gameId), what }])
    })
  )

/** The same of tables: their files are named by their sums. */
const verifyTables = Effect.fnUntraced(function* (to: Destination, drop: Drop, all: ReadonlyArray<ReadPartition>) {
  const faults = all.filter(({ fault }) => fault !== null)
  const owners = yield* ownersOf(to, drop)
  const states = yield* Effect.forEach(owners, (owner) => readDocument(to, stateFile(owner), DropState))
  const lost = owners.filter((_, index) => states[index] === null)
  const unmarked: Array<DropFault> = []
  for (const [index, gameId] of owners.entries()) {
    const state = states[index] ?? null
    const own = faults.filter(({ game }) => game === gameId)
    if (state === null || own.length === 0) continue
    const marked = own.reduce((before, { dt, table }) => withTables(before, dt, { [table]: damaged }), state)
    unmarked.push(...(yield* mark(to, gameId, marked)))
  }
  return {
    partitions: all.length,
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    faults: [
      ...lost.map(lostState),
      ...faults.map(({ dt, fault, game, table }) => ({
        partition: `${table}, game=${game}, dt=${dt}`,
        what: fault ?? ""
      })),
      ...unmarked
    ]
  }
})

/** Reads a drop back and compares every partition with its manifest. Marks what is wrong for the next export. */
export const verifyDrop = Effect.fn("verifyDrop")(function* (address: string) {
  const to = yield* openDestination(address)
  const drop = yield* readDocument(to, dropFile, Drop)
  if (drop === null) return yield* new NoDrop({ address })
  const session = yield* scratchSession
  // Not in the destination, which may be read-only.
  const stage = yield* privateFolder
  const tables = new Map(dropTables(drop.decimals).map((table) => [table.name, table]))
  const faults: Array<DropFault> = []
  const read = { partitions: 0, rows: 0, bytes: 0 }
  if (drop.tableFormat !== undefined) {
    const { all, leftAlone } = yield* readTables(session, to, drop, stage, tables.values()).pipe(
      Effect.mapError(ofDestination(to, stage))
    )
    const verified = yield* verifyTables(to, drop, all)
    return { to: address, ...verified, faults: [...leftAlone, ...verified.faults] } satisfies VerifiedDrop
  }
  for (const gameId of yield* ownersOf(to, drop)) {
    const state = yield* readDocument(to, stateFile(gameId), DropState)
    if (state === null) {
      faults.push(lostState(gameId))
      continue
    }
    let marked = state
    for (const [dt, day] of Object.entries(state.days)) {
      for (const [name, madeFrom] of Object.entries(day.tables)) {
        const table = tables.get(name)
        if (table === undefined || !hasTable(madeFrom)) continue
        const folder = partitionFolder(name, table.version, gameId, dt)
        const manifest = yield* readManifest(to, folder)
        const fault = yield* faultOf(session, to, { table, folder, stage }, manifest).pipe(
          Effect.mapError(ofDestination(to, stage))
        )
        if (fault !== null) {
          faults.push({ partition: folder, what: fault })
          marked = withTables(marked, dt, { [name]: damaged })
        }
        read.partitions++
        if (manifest === null || manifest === damaged) continue
        read.rows += manifest.rows
        read.bytes += manifest.bytes
      }
    }
    if (marked !== state) faults.push(...(yield* mark(to, gameId, marked)))
  }
  return { to: address, ...read, faults } satisfies VerifiedDrop
}, Effect.scoped)
