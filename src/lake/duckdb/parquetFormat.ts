/**
 * How every Parquet file of a home is written, for DuckDB's `copy`: ZSTD, and no bloom filters, which would be a tenth of a file and help
 * only who looks for one value of a column that the file is not sorted by.
 */
export const parquetFormat = (rowGroup = 122_880): string =>
  `(format parquet, compression zstd, write_bloom_filter false, row_group_size ${rowGroup})`
