import { sqlText } from "./Lake.ts"
import type { Night } from "./nights.ts"

const parquet = (files: ReadonlyArray<string>, options = "hive_partitioning = false") =>
  `read_parquet([${files.map(sqlText).join(", ")}], ${options})`
const filesOf = (nights: ReadonlyArray<Night>, name: string) =>
  nights.flatMap((night) => night.file(`${name}.parquet`) ?? [])

/**
 * The price rows of all nights. The snapshot comes out of the path, so that DuckDB opens no file but those of the nights that a
 * query is about.
 */
export const priceFiles = (name: string, nights: ReadonlyArray<Night>): string =>
  `create view files.${name} as
   from ${parquet(filesOf(nights, name), "hive_partitioning = true, hive_types = {game: varchar, snapshot: varchar}")}`

const listOf = (night: Night, list: string, item: string) =>
  `(select product_id, list(${item} order by position) as ${list} from ${parquet(filesOf([night], `product_${list}`))} group by product_id)`

/** What a game's first night holds, by entity: all of it is new. */
const firstVersions = {
  product: (night: Night) =>
    `from ${parquet(filesOf([night], "products"))}
     left join ${listOf(night, "languages", "language")} using (product_id)
     left join ${listOf(night, "finishes", "finish")} using (product_id)`,
  expansion: (night: Night) => `from ${parquet(filesOf([night], "expansions"))}`,
  external_id: (night: Night) =>
    `from (select distinct game_id, product_id, system, finish, external_id from ${parquet(filesOf([night], "external_ids"))})`
}

/** Every version of an entity: all of each game's first night, then what every night changed. */
export const versionFiles = (
  entity: keyof typeof firstVersions,
  games: ReadonlyArray<ReadonlyArray<Night>>
): string => {
  const first = games
    .flatMap((nights) => nights.slice(0, 1))
    .map(
      (night) =>
        `select *, 'added' as change, null::varchar[] as changed, ${sqlText(night.snapshot)} as snapshot ${firstVersions[entity](night)}`
    )
  const later = filesOf(
    games.flatMap((nights) => nights.slice(1)),
    `${entity}_versions`
  )
  const changed = `select * exclude (game), "to" as snapshot from ${parquet(later, 'hive_partitioning = true, hive_types = {game: varchar, "to": varchar}')}`
  return `create view files.${entity}_versions as ${[...first, ...(later.length === 0 ? [] : [changed])].join("\nunion all by name\n")}`
}
