/**
 * How every Parquet file of a home is written. No bloom filters: they would take a tenth of a file, and only help to
 * find a value in a column that the file is not sorted by.
 */
export const parquetFormat = (rowGroup = 122_880): string =>
  `(format parquet, compression zstd, write_bloom_filter false, row_group_size ${rowGroup})`
