import { Schema } from "effect"
import { Link } from "../Link.ts"
import { Count, Instant } from "../../../feed/contract/Catalogue.ts"

/** `upsert` sets or adds the rows of the file; `replace` also sets all other lines to zero. */
export const ImportMode = Schema.Literals(["upsert", "replace"])
export type ImportMode = typeof ImportMode.Type

/** Layout of an imported or exported file. */
export const FileFormat = Schema.Literals(["json", "csv"])
export type FileFormat = typeof FileFormat.Type

/** pending, then processing, then completed or failed. Failed rows fail no job. Beyond the spec: section 11. */
export const JobStatus = Schema.Literals(["pending", "processing", "completed", "failed"])
export type JobStatus = typeof JobStatus.Type

/** Rows of the file; null until the job is processing. Spec: inventory.import.completed, counts. */
export const JobCounts = Schema.Struct({ total: Count, succeeded: Count, failed: Count }).annotate({
  title: "JobCounts",
  description: "Rows of the file."
})
export type JobCounts = typeof JobCounts.Type

/**
 * An import or export. Its links live 15 minutes; `expiresAt`
 * is when its files are deleted. Beyond the spec: section 11.
 */
export const Job = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(["import", "export"]),
  status: JobStatus,
  format: FileFormat,
  mode: Schema.NullOr(ImportMode),
  counts: Schema.NullOr(JobCounts),
  progress: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))),
  errorMessage: Schema.NullOr(Schema.String),
  downloadUrl: Schema.NullOr(Link),
  errorReportUrl: Schema.NullOr(Link),
  expiresAt: Schema.NullOr(Instant),
  createdAt: Instant
}).annotate({
  title: "Job",
  description:
    "An import or export. `progress` is in percent, `counts` are null until it is processing; links work for 15 minutes, files are deleted at `expiresAt`."
})
export type Job = typeof Job.Type

/** The report of an import's failed rows, by row of the file counted from 1. Beyond the spec: section 11. */
export const FailedRow = Schema.Struct({ row: Schema.Int, code: Schema.String, message: Schema.String })
export type FailedRow = typeof FailedRow.Type
