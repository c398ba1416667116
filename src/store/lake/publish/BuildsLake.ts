import { Context } from "effect"

/** Whether a run builds `lake.duckdb`; not where nobody could open it, and a copy of the home has its own. */
export const BuildsLake = Context.Reference<boolean>("cardlake/lake/BuildsLake", { defaultValue: () => true })
