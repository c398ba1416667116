import { hash } from "node:crypto"
import { partitionFolder, partName } from "../drop/Drop.ts"
import {
  filled,
  type LoadPlan,
  type TableLoad,
  type Warehouse,
  comments,
  definitions,
  doubledBoth,
  replaceRows,
  typesWith
} from "./LoadPlan.ts"

const typed = typesWith({ VARCHAR: "varchar(65535)" })
const { create } = definitions(typed)

/** The manifest of a table's files for COPY. */
const copyManifest = ({ location }: LoadPlan, load: TableLoad): ReadonlyArray<string> => {
  const entries = filled(load).map(({ bytes, dt, game }) =>
    JSON.stringify({
      url: `${location}/${partitionFolder(load.table, game, dt)}/${partName}`,
      mandatory: true,
      meta: { content_length: bytes }
    })
  )
  return [`{"entries":[`, ...entries.map((entry, index) => (index === 0 ? entry : `,${entry}`)), "]}"]
}

/** A psql command that pipes a manifest to the bucket, under a name derived from its content. */
const uploaded = (name: string, manifest: ReadonlyArray<string>): string =>
  [
    `\\set manifest :manifests '/${name}'`,
    `\\o | aws s3 cp - "$CARDLAKE_MANIFESTS/${name}"`,
    ...manifest.map((line) => `\\qecho ${doubledBoth(line)}`),
    "\\o"
  ].join("\n")

/** One COPY per table, from a manifest, which COPY reads only from a bucket. */
export const redshift: Warehouse = {
  title: "Redshift",
  usage:
    "psql -h your-cluster -v manifests=s3://your-bucket/folder -f load.sql, where the aws program can write to that folder",
  isRemote: true,
  transaction: ["begin", "commit"],
  text: doubledBoth,
  prepare: ({ location }) => [
    `\\set ON_ERROR_STOP on
\\encoding UTF8
\\if :{?manifests}
\\else
\\set manifests ${doubledBoth(`${/^s3:\/\/[^/]+/.exec(location)?.[0] ?? location}/cardlake-load`)}
\\endif
\\setenv CARDLAKE_MANIFESTS :manifests`,
    "set timezone to 'UTC'",
    "create schema if not exists cardlake"
  ],
  create: (table) => [create(table, "\ndistkey (game_id)\ncompound sortkey (game_id, snapshot_date)")],
  extend: (table, column) =>
    `select 'alter table cardlake.${table.name} add column ${column.name} ${typed(column)}'
where not exists (
  select 1 from svv_columns
  where table_schema = 'cardlake' and table_name = '${table.name}' and column_name = '${column.name}'
)
\\gexec`,
  describe: comments,
  fill: (plan, load) =>
    replaceRows(load, doubledBoth, () => {
      const manifest = copyManifest(plan, load)
      const name = `${load.table.name}-${hash("sha256", manifest.join("\n"), "hex").slice(0, 16)}.json`
      return [
        uploaded(name, manifest),
        `copy cardlake.${load.table.name} from :'manifest' iam_role default format as parquet manifest fillrecord`
      ]
    })
}
