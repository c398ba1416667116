import type { FileStatistics } from "../drop/fileStatistics.ts"
import { columnMaps } from "./columnMaps.ts"
import type { DataFile, PartitionValues } from "./manifests.ts"

/** What is said of a file when it comes into a table. */
export interface NewFile extends FileStatistics {
  readonly address: string
  readonly rows: number
  readonly bytes: number
  readonly partition: PartitionValues
}

/** A file as a manifest names it. */
export const dataFile = ({ address, bytes, columns, partition, rows, splits }: NewFile): DataFile => ({
  content: 0,
  file_path: address,
  file_format: "PARQUET",
  partition,
  record_count: rows,
  file_size_in_bytes: bytes,
  ...columnMaps(columns),
  key_metadata: null,
  split_offsets: splits,
  equality_ids: null,
  sort_order_id: 0
})
