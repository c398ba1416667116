import { Effect, Schema } from "effect"
import type { TableFile } from "../../feed/schema/tableFile.ts"
import { sqlText } from "../../store/lake/duckdb/Lake.ts"
import { macros } from "../../store/lake/history/historyTables.ts"
import { splitTakes } from "../../store/lake/publish/lakeNames.ts"

/** A macro's parameter, as its SQL file has it. */
interface MacroParameter {
  readonly name: string
  readonly comment: string
  /** The SQL of its default; null if an argument is required. */
  readonly otherwise: string | null
}

/** Reads a macro's parameters: names and defaults from its statement, meanings from its header. */
export const macroParameters = ({ name, sql, takes }: TableFile): ReadonlyArray<MacroParameter> => {
  const meanings = new Map(
    splitTakes(takes).flatMap((taken) => {
      const [, names = "", meaning = ""] = /^([\w, ]+): ([^]+)$/.exec(taken) ?? []
      return names.split(", ").map((one) => [one, meaning] as const)
    })
  )
  const [, signature = ""] = new RegExp(`create macro ${name}\\(([^]*?)\\) as table`).exec(sql) ?? []
  return signature.split(",").flatMap((text) => {
    const [parameter = "", otherwise = null] = text.trim().split(" := ")
    return parameter === "" ? [] : [{ name: parameter, comment: meanings.get(parameter) ?? "", otherwise }]
  })
}

/** An argument whose macro accepts several types, such as a product's id or name. */
const Scalar = Schema.Union([Schema.String, Schema.Finite])

/**
 * Returns the type of an argument by its default. A default of null says nothing, unless the header names the parameter
 * that counts instead: `default null = shipping`.
 */
const argumentType = ({ comment, otherwise }: MacroParameter, all: ReadonlyArray<MacroParameter>): Argument => {
  if (otherwise === "true" || otherwise === "false") return Schema.Boolean
  if (otherwise !== null && Number.isFinite(Number(otherwise))) return Schema.Finite
  if (otherwise?.startsWith("'") === true) return Schema.NullOr(Schema.String)
  const instead = /default null = (\w+)/.exec(comment)?.[1]
  const other = all.find(({ name }) => name === instead)
  return Schema.NullOr(other === undefined ? Scalar : argumentType(other, all))
}

type Argument = Schema.Codec<Literal, unknown>
export type Literal = string | number | boolean | null

/** Returns a schema of arguments. What it does not know, it refuses with the names that it knows. */
export const toolArguments = (fields: Readonly<Record<string, Schema.Constraint>>): ToolArguments =>
  Schema.Struct(fields).annotate({
    messageUnexpectedKey: `Not an argument; the arguments are ${Object.keys(fields).join(", ")}`
  }) as unknown as ToolArguments

const macroArguments = (parameters: ReadonlyArray<MacroParameter>): ToolArguments => {
  const fields = parameters.map((parameter) => {
    const type = argumentType(parameter, parameters).annotate({ description: parameter.comment })
    return [parameter.name, parameter.otherwise === null ? type : Schema.optionalKey(type)] as const
  })
  return toolArguments(Object.fromEntries(fields))
}

export type ToolArguments = Schema.Codec<Readonly<Record<string, Literal>>, unknown>

const callMacro = ({ name }: TableFile, given: ToolArguments["Type"]): string => {
  const named = Object.entries(given).map(
    ([parameter, value]) => `${parameter} := ${typeof value === "string" ? sqlText(value) : value}`
  )
  // A search ranks its results, but its macro does not sort them.
  return `from ${name}(${named.join(", ")})${name === "find_products" ? " order by place" : ""}`
}

/** Every macro of the lake as a tool: its name, its comment and its arguments. */
export const macroTools = macros.map((file) => ({
  name: file.name,
  description: file.comment,
  parameters: macroArguments(macroParameters(file)),
  sql: (given: ToolArguments["Type"]) => Effect.succeed({ sql: callMacro(file, given) })
}))
