import { afterAll, assert, beforeEach } from "@effect/vitest"
import { Effect, Exit, Logger, Scope } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { createInterface } from "node:readline"
import { keyOfFile, partOfFile } from "../../../src/store/home/bucket/bucketKeys.ts"
import { filesIn, type StoredFiles } from "../../../src/store/home/bucket/documents.ts"
import { checkOut, type Need } from "../../../src/store/home/bucket/checkOut.ts"
import { examineBucket } from "../../../src/store/home/bucket/repair/examineBucket.ts"
import { repairDocuments } from "../../../src/store/home/bucket/repair/repairDocuments.ts"
import { sweepBucket } from "../../../src/store/home/bucket/namedKeys.ts"
import { privateFolder } from "../../../src/store/home/disk.ts"
import { gameId, catalogueFolder, type Deployed } from "../lake/invented.ts"
import { cardlake, node, settings, startCardlake, startSandbox } from "../../pipelines/cli.ts"
import type { Ended } from "../../pipelines/runHere.ts"
import { deployments } from "../../safety/tinyNights.ts"
import { type ConditionalStore, startConditionalStore, useStore } from "./conditionalStore.ts"
import { DuckDBInstance } from "@duckdb/node-api"
import { lakeFiles } from "../../../src/store/lake/history/historyTables.ts"
import { isFull } from "../../tried.ts"

export const address = "s3://lakes/tiny"

interface Report {
  readonly games: ReadonlyArray<{ readonly gameId: string; readonly verdict: string }>
}

/** A night's games, each as `game verdict`. */
export const said = ({ stdout }: { readonly stdout: string }): ReadonlyArray<string> =>
  (JSON.parse(stdout) as Report).games.map((game) => `${game.gameId} ${game.verdict}`).toSorted()

/** A marketplace of tiny games, a store, and homes in both a bucket and folders. */
export const tinyBucket = async (
  games: Readonly<Record<string, ReadonlyArray<Deployed>>> = { [gameId]: deployments },
  market: Parameters<typeof startSandbox>[0] = {}
) => {
  const scope = Scope.makeUnsafe()
  const catalogue = await Effect.runPromise(Scope.provide(catalogueFolder(games), scope))
  const sandbox = await startSandbox({ ...market, catalogue })
  const store = await startConditionalStore()
  const work = mkdtempSync(join(tmpdir(), "cardlake-bucket-"))
  const env = (home: string, more: Record<string, string> = {}) => ({
    ...settings(sandbox.url, home),
    ...store.env,
    ...more
  })
  let copies = 0
  const pulled = async (more: Record<string, string> = {}) => {
    const copy = join(work, `copy-${copies++}`)
    const { code, stderr } = await cardlake(["pull", "--home", address, "--to", copy], {
      env: { ...store.env, ...more }
    })
    assert.strictEqual(code, 0, stderr)
    return await lakeSums(copy)
  }
  const run = (...args: ReadonlyArray<string>) => cardlake(args, { env: env(address), hasShortWaits: true })
  return {
    sandbox,
    store,
    work,
    env,
    run,
    /** What doctor finds wrong. */
    wrong: async (): Promise<ReadonlyArray<string>> =>
      (JSON.parse((await run("doctor", "--json")).stdout) as ReadonlyArray<{ ok: boolean; says: string }>).flatMap(
        ({ ok, says }) => (ok ? [] : [says])
      ),
    inFolder: (...args: ReadonlyArray<string>) =>
      cardlake(args, { env: env(join(work, "folder")), hasShortWaits: true }),
    /** The same in another process, at the same time. */
    beside: (...args: ReadonlyArray<string>) => runnerBeside().run(args, env(address), work),
    start: (...args: ReadonlyArray<string>) => startCardlake(args, { env: env(address) }),
    /** The lake of the bucket, in sums. */
    pulled,
    folderSums: () => lakeSums(join(work, "folder")),
    /** The steps that led to what is published, by the bucket's own documents. */
    steps: () => stepsOf(store),
    stop: async () => {
      await sandbox.stop()
      await store.stop()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      rmSync(work, { recursive: true, force: true })
    }
  }
}

/** Another process, which goes on from command to command: starting one for each takes longer than most commands. */
export const startRunner = (env: Record<string, string>) => {
  const bare = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("CARDLAKE_")))
  const child = spawn(node, [join(import.meta.dirname, "bucketRunner.ts")], {
    env: { ...bare, CARDLAKE_VIA: "pages", ...env },
    stdio: ["pipe", "pipe", "inherit"]
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    run: async (args: ReadonlyArray<string>, more: Record<string, string>, cwd: string): Promise<Ended> => {
      child.stdin.write(`${JSON.stringify({ args, env: more, cwd })}\n`)
      const line = await lines.next()
      return JSON.parse(String(line.value)) as Ended
    },
    stop: () => child.kill()
  }
}

let runner: ReturnType<typeof startRunner> | null = null

/** The process that runs the commands beside those of this process; it ends with it. */
const runnerBeside = () => {
  if (runner === null) {
    const { stop } = (runner = startRunner({}))
    process.once("exit", stop)
  }
  return runner
}

/** The same; it stops after the tests of the file or of the `describe` around it. */
export const bucketHere = async (...parameters: Parameters<typeof tinyBucket>) => {
  const tiny = await tinyBucket(...parameters)
  afterAll(tiny.stop)
  return tiny
}

export type TinyBucket = Awaited<ReturnType<typeof tinyBucket>>

/** Every file of a game that shares an object, by the key that it would have alone. */
const packedFiles = (objects: ConditionalStore["objects"]) => {
  const parts = new Map<string, { readonly key: string; readonly offset: number; readonly sizeBytes: number }>()
  for (const [key, { body }] of objects) {
    const [, room = "", kind] = /^tiny\/games\/([^/]+)\/.*(\.month|\.list|commits\/\d{10})\.json$/.exec(key) ?? []
    if (kind === undefined) continue
    const document = JSON.parse(body.toString("utf8")) as { folders?: Record<string, StoredFiles>; files?: StoredFiles }
    // A list of pages does not say its folder.
    const lists = kind === ".list" ? { "raw/": document } : (document.folders ?? { "": document.files })
    for (const [folder, list] of Object.entries(lists))
      for (const file of filesIn({ gameId: room, folder }, { attempt: "", files: {}, ...list } as StoredFiles)) {
        const { offset, sizeBytes } = partOfFile(file) ?? {}
        if (offset === undefined || sizeBytes === undefined) continue
        const alone = keyOfFile({ ...file, position: undefined })
        parts.set(`tiny/${alone}`, { key: `tiny/${keyOfFile(file)}`, offset, sizeBytes })
      }
  }
  return parts
}

/** A bucket as some nights leave it, and so before each test of the file; it stops after them. */
export const savedBucket = async (
  nights: (tiny: TinyBucket) => Promise<unknown>,
  games?: Readonly<Record<string, ReadonlyArray<Deployed>>>
) => {
  const tiny = await bucketHere(games)
  await nights(tiny)
  const { objects } = tiny.store
  const saved = new Map(objects)
  beforeEach(() => {
    objects.clear()
    for (const [key, stored] of saved) objects.set(key, stored)
  })
  const parts = packedFiles(objects)
  const objectOf = (key: string): string => parts.get(key)?.key ?? key
  return {
    tiny,
    saved,
    documents: documentsOf(tiny),
    /** The last object, or else the last file inside an object, whose key matches. */
    keyOf: (pattern: RegExp): string => {
      const key = [...parts.keys(), ...saved.keys()].findLast((one) => pattern.test(one))
      assert.isDefined(key, String(pattern))
      return key
    },
    /** The size of an object, or of a file inside an object. */
    sizeOf: (key: string): number => parts.get(key)?.sizeBytes ?? saved.get(key)?.body.length ?? 0,
    urlOf: (key: string) => `s3://lakes/${objectOf(key)}`,
    /** Deletes objects, and those that contain these files. */
    lose: (...keys: ReadonlyArray<string>) => {
      for (const key of new Set(keys.map(objectOf))) assert.isTrue(objects.delete(key), key)
    },
    /** Puts the objects of these keys back. */
    putBack: (...keys: ReadonlyArray<string>) => {
      const wanted = new Set(keys.map(objectOf))
      for (const [key, stored] of saved) if (wanted.has(key)) objects.set(key, stored)
    },
    /** Gives an object, or a file inside an object, other bytes: a text, or as many as it had. */
    spoil: (key: string, text?: string | Buffer) => {
      const stored = objects.get(objectOf(key))
      assert.isDefined(stored, key)
      const { offset, sizeBytes } = parts.get(key) ?? { offset: 0, sizeBytes: stored.body.length }
      const [before, after] = [stored.body.subarray(0, offset), stored.body.subarray(offset + sizeBytes)]
      const pieces = [before, Buffer.from(text ?? "x".repeat(sizeBytes)), after]
      objects.set(objectOf(key), { ...stored, body: Buffer.concat(pieces) })
    }
  }
}

/** A failure as the message that a command prints. */
const orMessage = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: (done) => done, onFailure: ({ message }) => message })

/** What commands do to the documents of a bucket, without their nights, lakes and texts. */
export const documentsOf = ({ store: { env } }: TinyBucket) => ({
  /** What doctor finds damaged. */
  damaged: () =>
    useStore(env, address, () =>
      Effect.map(examineBucket(address), ({ damaged }) =>
        damaged.map(({ next, object, what }) => `${object} is damaged: ${what}. ${next}`).toSorted()
      )
    ),
  /** Every file of the home, by its path and sum, each game's steps, and games left alone; or why it cannot be read. */
  read: (need: Partial<Need & { readonly skipsDamaged: boolean }> = {}) =>
    useStore(env, address, (store) =>
      Effect.gen(function* () {
        const all = { games: null, of: "newest", folders: "all", runs: "all", skipsDamaged: true, ...need } as const
        const { games, here, damagedGames } = yield* checkOut(store, yield* privateFolder, all)
        return [
          ...[...here.known].map(([path, { sha256 }]) => `${relative(here.root, path)} ${sha256}`),
          ...[...here.packed].map(([path, { listed }]) => `${path} ${listed.list.sha256}`),
          ...[...games].map(([gameId, { opened }]) => `${gameId} ${JSON.stringify(opened.state.steps)}`),
          ...[...damagedGames].map(([gameId, { message }]) => `${gameId}: ${message}`)
        ].toSorted()
      }).pipe(orMessage)
    ),
  repair: () => useStore(env, address, (store) => Effect.provide(orMessage(repairDocuments(store)), Logger.layer([]))),
  /** Deletes what nobody names. */
  sweep: (nowMillis: number) => useStore(env, address, (store) => orMessage(sweepBucket(store, nowMillis)))
})

/** The newest commit of a log: `lake`, or `games/<game>`. */
export const newestCommit = <A>(
  { objects }: Pick<ConditionalStore, "objects">,
  room: string,
  number?: number
): A | null => {
  const keys = [...objects.keys()].filter((key) => key.startsWith(`tiny/${room}/commits/0`)).toSorted()
  const wanted = number === undefined ? keys.at(-1) : keys.find((key) => Number(key.slice(-15, -5)) === number)
  const body = objects.get(wanted ?? "")?.body
  return body === undefined ? null : (JSON.parse(body.toString("utf8")) as A)
}

/** Every step of every published game: `game run snapshot`. */
const stepsOf = (store: ConditionalStore): ReadonlyArray<string> =>
  Object.entries(newestCommit<{ games: Record<string, { number: number }> }>(store, "lake")?.games ?? {}).flatMap(
    ([gameId, { number }]) => {
      const steps = newestCommit<{ steps: ReadonlyArray<readonly [string, string, string | null]> }>(
        store,
        `games/${gameId}`,
        number
      )
      return (steps?.steps ?? []).map(([run, kind, snapshot]) => `${gameId} ${kind} ${snapshot ?? run}`)
    }
  )

/** What differs between two homes that read the same nights: ids and times of their own runs. */
const ofRuns =
  /^(snapshot|run_id|previous|runs?|kind|why|seconds|requests|retried|cardlake_version|feed_before|rounds|(from|to|first|last|before|follows|by|added_in|removed_in)_?(snapshot|run)?|.*_seconds|snapshot_\w+|\w+_snapshot)$/

/** Views that answer questions follow from the others: only `npm run test:full` compares them. */
const questions = new Set(
  lakeFiles.flatMap(([kind, files]) => (kind === "macro" && !isFull ? files.map(({ name }) => name) : []))
)

/** Rows of every table and view of a lake as counts and sums of hashes, without what is of its own runs. */
export const lakeSums = async (home: string): Promise<Readonly<Record<string, string>>> => {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  try {
    await connection.run(`attach '${join(home, "lake.duckdb").replaceAll("'", "''")}' as lake (read_only); use lake`)
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson()
    const columns = await read(
      `select table_name as name, list(column_name order by ordinal_position) as columns, list(data_type order by ordinal_position) as types
       from information_schema.columns where table_catalog = 'lake' and table_schema = 'main' group by 1 order by 1`
    )
    const sums: Record<string, string> = {}
    for (const row of columns) {
      const name = String(row["name"])
      // A lake that is built with the next publication does not have the runs since the last one yet.
      if (questions.has(name) || ["runs", "snapshots", "quality_checks"].includes(name)) continue
      const types = row["types"] as ReadonlyArray<string>
      // A night in parts publishes as one what a folder publishes in several steps, so its numbers are others.
      const isOfSteps = (column: string) => name === "publications" && column === "sequence"
      const kept = (row["columns"] as ReadonlyArray<string>).filter(
        (column, index) => !ofRuns.test(column) && !isOfSteps(column) && !/TIMESTAMP|INTERVAL/.test(types[index] ?? "")
      )
      const hashed = kept.length === 0 ? "1" : kept.map((column) => `"${column}"`).join(", ")
      const [sum] = await read(
        `select count(*)::varchar as n, sum(hash(${hashed})::hugeint)::varchar as content from "${name}"`
      )
      sums[name] = `${String(sum?.["n"])} ${String(sum?.["content"])}`
    }
    return sums
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
