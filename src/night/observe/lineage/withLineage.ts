import { scrubbing, nightWarning } from "../Observation.ts"
import { Cause, Config, DateTime, Duration, Effect, Exit, Fiber, Option, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { webAddressFault } from "../../../feed/contract/SettingInvalid.ts"
import { scrubbed } from "../../../feed/client/scrub.ts"
import { postJson } from "../postJson.ts"
import packageJson from "../../../../package.json" with { type: "json" }
import { Home } from "../../../store/home/Home.ts"
import { snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { readSnapshot } from "../../../store/home/Manifest.ts"
import { computeExitCode, type RunReport } from "../RunReport.ts"

export interface DatasetFacts {
  readonly columns?: ReadonlyArray<{ readonly name: string; readonly type: string; readonly comment: string }>
  readonly rows?: number
  readonly bytes?: number
}

export interface Dataset extends DatasetFacts {
  readonly namespace: string
  readonly name: string
}

export interface LineageRun {
  readonly namespace: string
  readonly job: string
  /** A UUID. */
  readonly runId: string
}

export interface LineageState {
  readonly eventType: "START" | "COMPLETE" | "FAIL" | "ABORT"
  /** ISO 8601, UTC. */
  readonly eventTime: string
  readonly inputs: ReadonlyArray<Dataset>
  readonly outputs: ReadonlyArray<Dataset>
  /** The reason for a failure; null if it did not fail. */
  readonly reason: string | null
}

const producer = `urn:cardlake:${packageJson.version}`
/** The versions of OpenLineage that these events follow. */
const specification = "https://openlineage.io/spec"
const facet = (file: string, name: string) => ({
  _producer: producer,
  _schemaURL: `${specification}/facets/${file}.json#/$defs/${name}`
})

const named = ({ columns, name, namespace }: Dataset) => ({
  namespace,
  name,
  facets:
    columns === undefined
      ? {}
      : {
          schema: {
            ...facet("1-1-1/SchemaDatasetFacet", "SchemaDatasetFacet"),
            fields: columns.map((column) => ({ name: column.name, type: column.type, description: column.comment }))
          }
        }
})

const written = (dataset: Dataset) => ({
  ...named(dataset),
  outputFacets:
    dataset.rows === undefined
      ? {}
      : {
          outputStatistics: {
            ...facet("1-0-2/OutputStatisticsOutputDatasetFacet", "OutputStatisticsOutputDatasetFacet"),
            rowCount: dataset.rows,
            ...(dataset.bytes === undefined ? {} : { size: dataset.bytes })
          }
        }
})

/** Returns an OpenLineage event: a run of a job, its inputs, and its outputs with columns and row counts. */
export const runEvent = ({ job, namespace, runId }: LineageRun, state: LineageState) => ({
  eventType: state.eventType,
  eventTime: state.eventTime,
  run: {
    runId,
    facets:
      state.reason === null
        ? {}
        : {
            errorMessage: {
              ...facet("1-0-1/ErrorMessageRunFacet", "ErrorMessageRunFacet"),
              message: state.reason,
              programmingLanguage: "JavaScript"
            }
          }
  },
  job: { namespace, name: job, facets: {} },
  inputs: state.inputs.map(named),
  outputs: state.outputs.map(written),
  producer,
  schemaURL: `${specification}/2-0-2/OpenLineage.json#/$defs/RunEvent`
})

/** Returns a dataset below a bucket's address, named by OpenLineage's rules for buckets. */
export const bucketDataset = (address: string, name: string, facts: DatasetFacts): Dataset => {
  const [, namespace = address, prefix = ""] = /^(s3:\/\/[^/]+)\/*(.*?)\/*$/.exec(address) ?? []
  return { namespace, name: prefix === "" ? name : `${prefix}/${name}`, ...facts }
}

/** Returns a table of the lake, by its file or by the address of a home in a bucket. */
export const lakeDataset = Effect.fnUntraced(function* (table: string, facts: DatasetFacts = {}) {
  const { lake, place } = yield* Home
  if (place.address !== null) return bucketDataset(place.address, table, facts)
  return { namespace: "file", name: `${lake}/${table}`, ...facts } satisfies Dataset
})

/** The receiver of events, with OpenLineage's standard variables. Without an address no event is sent. */
const settings = Config.all({
  url: Config.String("OPENLINEAGE_URL").pipe(Config.withDefault("")),
  token: Config.option(Config.Redacted("OPENLINEAGE_API_KEY")),
  namespace: Config.String("OPENLINEAGE_NAMESPACE").pipe(Config.withDefault("cardlake"))
})

/** Inputs and outputs of a finished run, and the reason if it failed anyway. */
export type LineageEnd = Pick<LineageState, "inputs" | "outputs" | "reason">

/** An unreachable receiver delays the end of a night by little more than this. */
const bounds = { retries: 2, allAtMost: Duration.seconds(3) }

const nothing = { inputs: [], outputs: [], reason: null } as const

const settingsOrNone = Effect.gen(function* () {
  const { namespace, token, url } = yield* settings
  if (url.trim() === "") return Option.none()
  const fault = webAddressFault(url)
  const key = Option.getOrNull(Option.map(token, (text) => Redacted.make(Redacted.value(text).trim())))
  const isSendable = key === null || /^[\x21-\x7e]+$/.test(Redacted.value(key))
  if (fault === null && isSendable) return Option.some({ namespace, token: key, address: new URL(url) })
  const what = fault === null ? "OPENLINEAGE_API_KEY has characters that a key cannot have" : `OPENLINEAGE_URL ${fault}`
  yield* nightWarning("lineage", `No lineage is sent: ${what}. The run continues`)
  return Option.none()
})

/** Reports begin and end of a run to `OPENLINEAGE_URL`. Never delays or fails it; failures are warnings. */
export const withLineage = Effect.fnUntraced(function* <A, E, R, E2, R2>(
  job: string,
  work: Effect.Effect<A, E, R>,
  endOf: (value: A) => Effect.Effect<LineageEnd, E2, R2>
) {
  const receiver = yield* settingsOrNone
  if (Option.isNone(receiver)) return yield* work
  const { address, namespace, token } = receiver.value
  const scrub = yield* scrubbing
  const run: LineageRun = { namespace, job, runId: randomUUID() }
  const to = Redacted.make(new URL("api/v1/lineage", address.href.replace(/\/*$/, "/")).href)
  const send = Effect.fnUntraced(function* (state: Omit<LineageState, "eventTime">) {
    const eventTime = DateTime.formatIso(yield* DateTime.now)
    const event = scrubbed(scrub, runEvent(run, { ...state, eventTime }))
    yield* postJson(to, event, { token, ...bounds }).pipe(
      Effect.catch(({ message }) =>
        nightWarning("lineage", `The lineage of ${job} did not reach ${message}. The run itself continues`)
      )
    )
  })
  const begun = yield* Effect.forkChild(send({ ...nothing, eventType: "START" }))
  return yield* Effect.onExit(
    work,
    Effect.fnUntraced(function* (exit) {
      yield* Fiber.join(begun)
      if (Exit.isSuccess(exit)) {
        const end = yield* Effect.orElseSucceed(endOf(exit.value), () => nothing)
        return yield* send({ ...end, eventType: end.reason === null ? "COMPLETE" : "FAIL" })
      }
      if (Cause.hasInterruptsOnly(exit.cause)) return yield* send({ ...nothing, eventType: "ABORT" })
      const error = Cause.squash(exit.cause)
      const reason = error instanceof Error ? error.message : String(error)
      yield* send({ ...nothing, eventType: "FAIL", reason })
    })
  )
})

export const nightJob = "cardlake.nightly"

/** Returns a night's lineage: the marketplace as input, each published table with the changed games' rows as output. */
export const nightLineage = Effect.fnUntraced(function* (report: RunReport, marketplace: string | null) {
  const home = yield* Home
  const published = report.games.filter(({ verdict }) => verdict === "published")
  const folders = published.flatMap(({ gameId, snapshot }) =>
    snapshot === null ? [] : [home.snapshot(gameId, snapshot)]
  )
  const snapshots = yield* Effect.forEach(folders, readSnapshot)
  const counts = snapshots.map(({ manifest }) => manifest.tables)
  const outputs = yield* Effect.forEach(snapshotTables, ({ columns, name }) =>
    lakeDataset(name, {
      columns: columns.map((column) => ({
        name: column.name,
        type: column.type || "varchar",
        comment: column.comment
      })),
      rows: counts.reduce((sum, tables) => sum + (tables[name]?.rows ?? 0), 0)
    })
  )
  const faults = report.games.flatMap(({ gameId, reason, verdict }) =>
    verdict === "failed" ? [`${gameId}: ${reason ?? "failed"}`] : []
  )
  return {
    inputs:
      marketplace === null
        ? []
        : report.games.map(({ gameId }) => ({ namespace: marketplace, name: `v1/feeds/${gameId}` })),
    outputs: published.length === 0 ? [] : outputs,
    reason: [0, 3].includes(computeExitCode(report.games)) ? null : faults.join("; ")
  } satisfies LineageEnd
})
