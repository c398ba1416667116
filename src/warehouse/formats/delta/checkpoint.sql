-- A table's actions in the layout of a Delta checkpoint: a column for each kind, one of them filled per row.
select *
from read_json(getvariable('delta_actions'), format = 'newline_delimited', columns = {
  txn: 'struct("appId" varchar, "version" bigint, "lastUpdated" bigint)',
  add: 'struct("path" varchar, "partitionValues" map(varchar, varchar), "size" bigint, "modificationTime" bigint,
    "dataChange" boolean, "stats" varchar, "tags" map(varchar, varchar))',
  remove: 'struct("path" varchar, "deletionTimestamp" bigint, "dataChange" boolean, "extendedFileMetadata" boolean,
    "partitionValues" map(varchar, varchar), "size" bigint)',
  "metaData": 'struct("id" varchar, "name" varchar, "description" varchar,
    "format" struct("provider" varchar, "options" map(varchar, varchar)), "schemaString" varchar,
    "partitionColumns" varchar[], "configuration" map(varchar, varchar), "createdTime" bigint)',
  protocol: 'struct("minReaderVersion" integer, "minWriterVersion" integer)'
})
