import { Effect, Schema } from "effect"
import { sqlText } from "../../store/lake/duckdb/Lake.ts"
import { columnComments, filesNamed } from "../../store/lake/publish/lakeNames.ts"
import { ConsoleRefused } from "../explorer/console/askConsole.ts"
import type { LakeQuestion } from "./askLake.ts"
import { macroTools, toolArguments, type ToolArguments } from "./macroTools.ts"

/** A question that an assistant can ask: its arguments, and the query that answers it. */
export interface AssistantTool {
  readonly name: string
  readonly description: string
  readonly parameters: ToolArguments
  readonly sql: (given: ToolArguments["Type"]) => Effect.Effect<LakeQuestion, Error>
}

const query: AssistantTool = {
  name: "query",
  description:
    "Run one reading query in DuckDB's SQL over the lake's tables, views and macros, such as: select name, low from products join source_prices using (game_id, product_id) limit 10",
  parameters: toolArguments({
    sql: Schema.String.annotate({ description: "The query: one statement that only reads" })
  }),
  sql: ({ sql }) => Effect.succeed({ sql: String(sql) })
}

/** Lists everything by the headers; of one name, DuckDB says its columns and types. */
const describe: AssistantTool = {
  name: "describe",
  description: "Explain the lake: all tables, views and macros, or the columns of one with types and meanings",
  parameters: toolArguments({
    name: Schema.optionalKey(
      Schema.NullOr(Schema.String).annotate({ description: "A table, view or macro; default: list all of them" })
    )
  }),
  sql: ({ name = null }) =>
    filesNamed(name === null ? null : String(name)).pipe(
      Effect.map((found): LakeQuestion => {
        const [one] = found
        if (name !== null && one !== undefined) return describeOne(one)
        const rows = found.map(({ file, kind }) => `(${[file.name, kind, file.comment].map(sqlText).join(", ")})`)
        return { sql: `from (values ${rows.join(", ")}) as names(name, kind, meaning)` }
      }),
      Effect.mapError(
        ({ fact }) => new ConsoleRefused({ message: `${fact} List its names: call describe without arguments` })
      )
    )
}

const describeOne = ({ file, kind }: Effect.Success<ReturnType<typeof filesNamed>>[number]): LakeQuestion => {
  const { comment, example, name, takes } = file
  const meanings = Array.from(columnComments(file), (pair) => pair.map(sqlText).join(": "))
  return {
    about: `${name} (${kind}): ${comment}${takes === "" ? "" : ` Takes: ${takes}.`} Example: ${example}. `,
    sql: `select column_name as "column", column_type as type, coalesce(map {${meanings.join(", ")}}[column_name], '') as meaning from (describe ${example})`
  }
}

export const assistantTools: ReadonlyArray<AssistantTool> = [query, describe, ...macroTools]
