import { Effect, Redacted, Schema, Schedule } from "effect"
import { IcebergRestCatalog, IcebergError } from "iceberg-js"
import { type Destination, DestinationFailed } from "../../destination/Destination.ts"
import { tableName } from "../../drop/Drop.ts"
import { type ExportTable, commitConflict } from "../../drop/exportTables.ts"
import type { Catalogue, CatalogueTable, TableCommit } from "./Catalogue.ts"
import type { IcebergSettings } from "./IcebergSettings.ts"
import { currentSnapshot, destinationProperty, tableProperties, TableMetadata } from "./TableMetadata.ts"
import { dayPartitioning, icebergSchema, unfit } from "./tableSchema.ts"

const again = "then export again. It continues where it stopped"

const nextStep = (status: number): string => {
  if (status === 401 || status === 403) return `Check ICEBERG_REST_TOKEN and its permissions, ${again}`
  if (status === 400 || status === 404) return `Check ICEBERG_REST_URL and ICEBERG_REST_WAREHOUSE, ${again}`
  if (status === 0) return `Check ICEBERG_REST_URL and the network, ${again}`
  return "Export again later. It continues where it stopped"
}

/** A catalogue's error, without its message, which may quote the request. */
interface Refused {
  readonly status: number
  readonly type: string
}

const refusedBy = (cause: unknown): Refused =>
  cause instanceof IcebergError
    ? { status: cause.status, type: cause.icebergType ?? "" }
    : { status: 0, type: cause instanceof Error ? cause.name : "" }

const passes = ({ status }: Refused): boolean => [0, 429, 502, 503, 504].includes(status)

const catalogueFault = (what: string, { status, type }: Refused): DestinationFailed => {
  const answer = type === "" ? String(status) : `${status} (${type})`
  const reason = status === 0 ? "the catalogue did not answer" : `the catalogue answered ${answer}`
  return new DestinationFailed({ step: what, reason, next: nextStep(status) })
}

const retried = <A>(run: () => Promise<A>): Effect.Effect<A, Refused> =>
  Effect.tryPromise({ try: run, catch: refusedBy }).pipe(
    Effect.retry({ schedule: Schedule.exponential("500 millis"), times: 3, while: passes })
  )

/** Calls a catalogue; transient errors are retried. */
export const catalogueStep = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, DestinationFailed> =>
  Effect.mapError(retried(run), (refused) => catalogueFault(what, refused))

/** Calls a catalogue; returns null for the expected status. */
export const unlessStatus = <A>(
  what: string,
  expected: number,
  run: () => Promise<A>
): Effect.Effect<A | null, DestinationFailed> =>
  retried(run).pipe(
    Effect.catch((refused) =>
      refused.status === expected ? Effect.succeed(null) : Effect.fail(catalogueFault(what, refused))
    )
  )

const maxAnswerMillis = 60_000

const mutable = <A extends { readonly fields: ReadonlyArray<unknown> }>(one: A) => ({
  ...one,
  fields: [...one.fields] as Array<A["fields"][number]>
})

const tableAt = (url: string) => (name: string, metadata: unknown) =>
  Schema.decodeUnknownEffect(TableMetadata)(metadata).pipe(
    Effect.mapBoth({
      onSuccess: (known): CatalogueTable => ({ name, metadata: known }),
      onFailure: () =>
        unfit(
          name,
          `has metadata in ${url} that Cardlake cannot read`,
          "If another program wrote it, roll it back with that program. Otherwise export to another destination and namespace"
        )
    })
  )

/** Encodes a commit for the catalogue: its requirements and its updates. */
const encodeCommit = (metadata: TableMetadata, { schema, snapshot, spec }: TableCommit) => ({
  requirements: [
    { type: "assert-table-uuid" as const, uuid: metadata["table-uuid"] },
    {
      type: "assert-ref-snapshot-id" as const,
      ref: "main",
      "snapshot-id": currentSnapshot(metadata)?.["snapshot-id"] ?? null
    },
    { type: "assert-current-schema-id" as const, "current-schema-id": metadata["current-schema-id"] }
  ],
  updates: [
    ...(schema === null
      ? []
      : [
          { action: "add-schema" as const, schema: mutable(schema) },
          { action: "set-current-schema" as const, "schema-id": -1 }
        ]),
    ...(spec === null ? [] : [{ action: "add-spec" as const, spec: mutable(spec) }]),
    { action: "add-snapshot" as const, snapshot },
    {
      action: "set-snapshot-ref" as const,
      "ref-name": "main",
      type: "branch" as const,
      "snapshot-id": snapshot["snapshot-id"]
    }
  ]
})

/** Tables of a REST catalogue, which stores their metadata; the destination stores their data and manifests. */
export const restCatalogue = (
  to: Destination,
  url: string,
  { namespace, token, warehouse }: IcebergSettings["Service"]
): Catalogue => {
  const catalogue = new IcebergRestCatalog({
    baseUrl: url,
    ...(warehouse === null ? {} : { warehouse }),
    auth: token === null ? { type: "none" } : { type: "bearer", token: Redacted.value(token) },
    // @effect-diagnostics-next-line globalFetch:off -- the catalogue's client accepts nothing else
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(maxAnswerMillis) })
  })
  const space = { namespace: namespace.split(".") }
  const tableId = (name: string) => ({ ...space, name })

  const loadTable = tableAt(url)
  const makeNamespace = Effect.gen(function* () {
    const what = `Create the namespace ${namespace} in ${url}`
    if (yield* catalogueStep(what, () => catalogue.namespaceExists(space))) return
    yield* unlessStatus(what, 409, () => catalogue.createNamespace(space))
  })

  const find = Effect.fnUntraced(function* (table: ExportTable) {
    const name = tableName(table)
    const found = yield* unlessStatus(`Find ${name} in ${url}`, 404, () => catalogue.loadTable(tableId(name)))
    return found === null ? null : yield* loadTable(name, found)
  })

  const create = Effect.fnUntraced(function* (table: ExportTable) {
    const name = tableName(table)
    yield* makeNamespace
    const made = yield* unlessStatus(`Create ${name} in ${url}`, 409, () =>
      catalogue.createTable(space, {
        name,
        location: `${to.root}/${name}`,
        schema: mutable(icebergSchema(table, 0)),
        "partition-spec": mutable(dayPartitioning(table)),
        properties: { "format-version": "2", ...tableProperties(table), [destinationProperty]: to.root }
      })
    )
    if (made === null) return yield* commitConflict("Iceberg", name)
    return yield* loadTable(name, made)
  })

  return {
    find,
    create,
    commit: Effect.fnUntraced(function* ({ metadata, name }, commit) {
      const done = yield* unlessStatus(`Commit to ${name} in ${url}`, 409, () =>
        catalogue.commitTable(tableId(name), encodeCommit(metadata, commit))
      )
      if (done === null) return yield* commitConflict("Iceberg", name)
      return yield* loadTable(name, done.metadata)
    })
  }
}
