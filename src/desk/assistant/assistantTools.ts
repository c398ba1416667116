import { Effect, Schema } from "effect"
import { sqlText } from "../../store/lake/duckdb/Lake.ts"
import { columnComment, filesNamed } from "../../store/lake/publish/lakeNames.ts"
import { ConsoleRefused } from "../explorer/console/askConsole.ts"
import { askLake, type LakeAnswer } from "./askLake.ts"
import { macroTools, type ToolArguments } from "./macroTools.ts"

/** A question that an assistant can ask: its arguments, and the query that answers it. */
export interface AssistantTool {
  readonly name: string
  readonly description: string
  readonly parameters: ToolArguments
  readonly sql: (given: ToolArguments["Type"]) => Effect.Effect<string, Error>
  /** Adds to the answer what the query does not return. Default: nothing. */
  readonly explain?: (given: ToolArguments["Type"], answer: LakeAnswer) => Effect.Effect<LakeAnswer, Error>
}

const query: AssistantTool = {
  name: "query",
  description:
    "Run one reading query in DuckDB's SQL over the lake's tables, views and macros, such as: select name, low from products join source_prices using (game_id, product_id) limit 10",
  parameters: Schema.Struct({
    sql: Schema.String.annotate({ description: "The query: one statement that only reads" })
  }),
  sql: ({ sql }) => Effect.succeed(String(sql))
}

/** Lists everything by the headers; of one name, DuckDB says its columns and types. */
const describe: AssistantTool = {
  name: "describe",
  description: "Explain the lake: all tables, views and macros, or the columns of one with types and meanings",
  parameters: Schema.Struct({
    name: Schema.optionalKey(
      Schema.NullOr(Schema.String).annotate({ description: "A table, view or macro; default: list all of them" })
    )
  }),
  sql: ({ name = null }) => {
    const found = Effect.map(filesNamed(name === null ? null : String(name)), (found) => {
      const [one] = found
      if (name !== null && one !== undefined) return `describe ${one.file.example}`
      const rows = found.map(({ file, kind }) => `(${[file.name, kind, file.comment].map(sqlText).join(", ")})`)
      return `from (values ${rows.join(", ")}) as names(name, kind, meaning)`
    })
    return Effect.mapError(
      found,
      ({ fact }) => new ConsoleRefused({ reason: `${fact} List its names: call describe without arguments` })
    )
  },
  explain: ({ name = null }, answer) =>
    name === null
      ? Effect.succeed(answer)
      : Effect.map(filesNamed(String(name)), ([one]) => {
          if (one === undefined) return answer
          const { comment, example, takes } = one.file
          const about = `${one.file.name} (${one.kind}): ${comment}${takes === "" ? "" : ` Takes: ${takes}.`} Example: ${example}`
          const columns = ["column", "type", "meaning"].map((column) => ({ name: column, type: "VARCHAR" }))
          const rows = answer.rows.map(([column = null, type = null]) => [
            column,
            type,
            columnComment(one.file, String(column))
          ])
          return { ...answer, summary: `${about}. ${answer.summary}`, columns, rows }
        })
}

export const assistantTools: ReadonlyArray<AssistantTool> = [query, describe, ...macroTools]

/** Answers a question of an assistant. */
export const ask = Effect.fnUntraced(function* (
  { explain, sql }: AssistantTool,
  given: ToolArguments["Type"],
  withCollection: boolean
) {
  const answer = yield* askLake(yield* sql(given), withCollection)
  return explain === undefined ? answer : yield* explain(given, answer)
})
