import type { HomePaths } from "../../home/homePaths.ts"
import type { Dataset, DatasetFacts } from "./runEvent.ts"

/** A table of the lake, named by its file as OpenLineage names files on disk. */
export const lakeDataset = ({ lake }: Pick<HomePaths, "lake">, table: string, facts: DatasetFacts = {}): Dataset => ({
  namespace: "file",
  name: `${lake}/${table}`,
  ...facts
})
