import { operations } from "../operationRows.ts"
import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { common, PayloadTooLarge, commonOfWrites, problem } from "../../../feed/contract/Errors.ts"
import { Conflict } from "../inventory/InventoryErrors.ts"
import { InventoryFilters } from "../inventory/inventoryOperations.ts"
import { limits, operationBuckets, partBytes } from "../Limits.ts"
import { CustomId, LineChange } from "../inventory/InventoryLine.ts"
import { Link } from "../Link.ts"
import { Count, Instant } from "../../../feed/contract/Catalogue.ts"

/** `upsert` sets or adds the rows of the file; `replace` also sets all other lines to zero. */
export const ImportMode = Schema.Literals(["upsert", "replace"])
export type ImportMode = typeof ImportMode.Type

/** Layout of an imported or exported file. */
export const FileFormat = Schema.Literals(["json", "csv"])
export type FileFormat = typeof FileFormat.Type

/** Pending, then processing, then completed or failed. Failed rows do not fail a job. Beyond the spec: section 11. */
export const JobStatus = Schema.Literals(["pending", "processing", "completed", "failed"])
export type JobStatus = typeof JobStatus.Type

/** Row counts of the file; null until the job is processing. Spec: inventory.import.completed, counts. */
export const JobCounts = Schema.Struct({ total: Count, succeeded: Count, failed: Count }).annotate({
  title: "JobCounts",
  description: "Rows of the file."
})
export type JobCounts = typeof JobCounts.Type

/**
 * An import or export. Its links expire after 15 minutes; `expiresAt` is when its files are deleted.
 * Beyond the spec: section 11.
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

/** A failed row in the report of an import. Rows are counted from 1. Beyond the spec: section 11. */
export const FailedRow = Schema.Struct({ row: Schema.Int, code: Schema.String, message: Schema.String })
export type FailedRow = typeof FailedRow.Type

/**
 * A change of one line, identified by id or customId. Without an id, `customId` identifies the line and does not
 * change.
 */
export const UpdateItem = Schema.Struct({
  ...LineChange.fields,
  inventoryId: Schema.optionalKey(Schema.String),
  customId: Schema.optionalKey(Schema.NullOr(CustomId))
}).annotate({
  title: "UpdateItem",
  description: "A change of one line, found by `inventoryId`, or else by `customId`."
})
export type UpdateItem = typeof UpdateItem.Type

/** Up to 200 changes; the valid ones are made together. Beyond the spec: section 11. */
const BulkUpdate = Schema.Struct({
  items: Schema.Array(UpdateItem).check(Schema.isMinLength(1), Schema.isMaxLength(limits.itemsPerUpdate))
}).annotate({ title: "BulkUpdate", description: "Up to 200 changes; those that can be made are made together." })

/**
 * The reason why an item was not changed. `INVALID_ITEM`: no line is named, a line is repeated, or the product lacks
 * the value.
 */
export const UpdateErrorCode = Schema.Literals([
  "NOT_FOUND",
  "INSUFFICIENT_QUANTITY",
  "INVALID_COUNT",
  "INVALID_ITEM",
  "LOCATION_NOT_FOUND",
  "TAG_NOT_FOUND"
])

/** The result of each item, in request order. */
export const UpdateResults = Schema.Struct({
  results: Schema.Array(
    Schema.Union([
      Schema.Struct({ index: Schema.Int, status: Schema.Literal("ok"), inventoryId: Schema.String }).annotate({
        title: "UpdatedLine"
      }),
      Schema.Struct({
        index: Schema.Int,
        status: Schema.Literal("error"),
        code: UpdateErrorCode,
        data: Schema.Record(Schema.String, Schema.Unknown)
      }).annotate({ title: "UpdateError" })
    ])
  )
}).annotate({ title: "UpdateResults", description: "What became of each item, in the order of the request." })

/** The format of the file is neither stated nor recognized. Beyond the spec: section 2, 400. */
export class UnsupportedContentType extends problem<UnsupportedContentType>(
  "UnsupportedContentType",
  "A file whose format is neither stated nor known."
)(400, "UNSUPPORTED_CONTENT_TYPE", { field: Schema.optionalKey(Schema.String) }) {}

/** The file does not have the preset's layout. Beyond the spec: section 2, 422. */
export class UnprocessableFile extends problem<UnprocessableFile>(
  "UnprocessableFile",
  "The file is not one that the preset's program writes."
)(422, "UNPROCESSABLE_FILE", { source: Schema.String }) {}

const JobAnswer = Schema.Struct({ job: Job }).annotate({ title: "JobAnswer" })
const Started = JobAnswer.pipe(HttpApiSchema.status(202))
/** Parts with a file name are files of any type, because browsers send a JSON file as `application/json`. */
const parts = { maxFileSize: partBytes(limits.importBytes), maxFieldSize: 1024, fieldMimeTypes: [] }
const ExportRequest = Schema.Struct({ format: FileFormat, filters: Schema.optionalKey(InventoryFilters) }).annotate({
  title: "ExportRequest",
  description: "Without filters, all lines are exported."
})
const file = { file: Multipart.FilesSchema, mode: Schema.optionalKey(ImportMode) }

/** `format` is required when the file is compressed with gzip. */
const ImportFile = Schema.Struct({ ...file, format: Schema.optionalKey(FileFormat) }).pipe(
  HttpApiSchema.asMultipartStream(parts)
)
const PresetFile = Schema.Struct(file).pipe(HttpApiSchema.asMultipartStream(parts))

/** Programs whose export files can be imported: the two price sources and one tool. Beyond the spec: section 11. */
export const ImportPreset = Schema.Literals(["sourceEur", "sourceUsd", "powertools"])
export type ImportPreset = typeof ImportPreset.Type

const write = operations(commonOfWrites, "inventory:write")
const exporting = operations(commonOfWrites, "inventory:read")
const read = operations(common, "inventory:read")

/** Imports, exports and bulk updates. Beyond the spec: section 11. */
export const jobOperations = HttpApiGroup.make("jobs").add(
  write("POST", "import", "/v1/inventory/bulk/import", "Start an import of a file of lines", {
    payload: ImportFile,
    success: Started,
    error: [PayloadTooLarge, UnsupportedContentType]
  }),
  write(
    "POST",
    "importPreset",
    "/v1/inventory/bulk/import/:preset",
    "Start an import of another program's export file",
    {
      params: { preset: ImportPreset },
      payload: PresetFile,
      success: Started,
      error: [PayloadTooLarge, UnsupportedContentType, UnprocessableFile]
    }
  ),
  exporting("POST", "export", "/v1/inventory/bulk/export", "Start an export of the stock", {
    payload: ExportRequest,
    success: Started,
    bucket: operationBuckets.inventoryExport
  }),
  write("POST", "update", "/v1/inventory/bulk/update", "Change many lines at once", {
    payload: BulkUpdate,
    success: UpdateResults,
    error: [Conflict]
  }),
  read("GET", "job", "/v1/inventory/bulk/jobs/:jobId", "An import or export, and how far it is", { success: JobAnswer })
)
