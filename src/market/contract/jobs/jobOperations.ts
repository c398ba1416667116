import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { common, NotFound, PayloadTooLarge, commonOfWrites } from "../../../contract/Errors.ts"
import { Conflict } from "../inventory/InventoryErrors.ts"
import { InventoryFilters } from "../inventory/InventoryFilters.ts"
import { Bucket } from "../../../contract/Bucket.ts"
import { limits, operationBuckets, partBytes } from "../Limits.ts"
import { needs } from "../../../contract/Scopes.ts"
import { BulkUpdate, UpdateResults } from "./BulkUpdate.ts"
import { FileFormat, ImportMode, Job } from "./Job.ts"
import { UnprocessableFile, UnsupportedContentType } from "./JobErrors.ts"

const write = needs("inventory:write")
const JobAnswer = Schema.Struct({ job: Job }).annotate({ title: "JobAnswer" })
const Started = JobAnswer.pipe(HttpApiSchema.status(202))
/** Parts with a file name are files, whatever their type: browsers send a JSON file as `application/json`. */
const parts = { maxFileSize: partBytes(limits.importBytes), maxFieldSize: 1024, fieldMimeTypes: [] }
const ExportRequest = Schema.Struct({ format: FileFormat, filters: Schema.optionalKey(InventoryFilters) }).annotate({
  title: "ExportRequest",
  description: "Without filters, all lines are exported."
})
const file = { file: Multipart.FilesSchema, mode: Schema.optionalKey(ImportMode) }

/** `format` is needed when the file is packed with gzip. */
const ImportFile = Schema.Struct({ ...file, format: Schema.optionalKey(FileFormat) }).pipe(
  HttpApiSchema.asMultipartStream(parts)
)
const PresetFile = Schema.Struct(file).pipe(HttpApiSchema.asMultipartStream(parts))

/**
 * Programs whose own export files can be imported: the two price sources' and one tool. Beyond the spec: section 11.
 */
export const ImportPreset = Schema.Literals(["sourceEur", "sourceUsd", "powertools"])
export type ImportPreset = typeof ImportPreset.Type

/** Imports, exports and updates of many lines. Beyond the spec: section 11. */
export const jobOperations = HttpApiGroup.make("jobs").add(
  HttpApiEndpoint.post("import", "/v1/inventory/bulk/import", {
    payload: ImportFile,
    success: Started,
    error: [...commonOfWrites, PayloadTooLarge, UnsupportedContentType]
  })
    .annotate(OpenApi.Summary, "Start an import of a file of lines")
    .annotateMerge(write),
  HttpApiEndpoint.post("importPreset", "/v1/inventory/bulk/import/:preset", {
    params: { preset: ImportPreset },
    payload: PresetFile,
    success: Started,
    error: [
      ...commonOfWrites,
      NotFound,

      PayloadTooLarge,
      UnsupportedContentType,
      UnprocessableFile
    ]
  })
    .annotate(OpenApi.Summary, "Start an import of another program's export file")
    .annotateMerge(write),
  HttpApiEndpoint.post("export", "/v1/inventory/bulk/export", {
    payload: ExportRequest,
    success: Started,
    error: commonOfWrites
  })
    .annotate(OpenApi.Summary, "Start an export of the stock")
    .annotateMerge(needs("inventory:read"))
    .annotate(Bucket, operationBuckets.inventoryExport),
  HttpApiEndpoint.post("update", "/v1/inventory/bulk/update", {
    payload: BulkUpdate,
    success: UpdateResults,
    error: [...commonOfWrites, Conflict]
  })
    .annotate(OpenApi.Summary, "Change many lines at once")
    .annotateMerge(write),
  HttpApiEndpoint.get("job", "/v1/inventory/bulk/jobs/:jobId", {
    params: { jobId: Schema.String },
    success: JobAnswer,
    error: [...common, NotFound]
  })
    .annotate(OpenApi.Summary, "An import or export, and how far it is")
    .annotateMerge(needs("inventory:read"))
)
