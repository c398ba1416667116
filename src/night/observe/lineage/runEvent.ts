import packageJson from "../../../../package.json" with { type: "json" }
import { Effect } from "effect"
import { Home } from "../../../store/home/Home.ts"

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
