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

/** The arguments of a macro as a schema. */
const macroArguments = (parameters: ReadonlyArray<MacroParameter>): ToolArguments => {
  const fields = parameters.map((parameter) => {
    const type = argumentType(parameter, parameters).annotate({ description: parameter.comment })
    return [parameter.name, parameter.otherwise === null ? type : Schema.optionalKey(type)] as const
  })
  return Schema.Struct(Object.fromEntries(fields)) as unknown as ToolArguments
}

/** The arguments of a tool as a schema. */
export type ToolArguments = Schema.Codec<Readonly<Record<string, Literal>>, unknown>

const literal = (value: Literal): string => (typeof value === "string" ? sqlText(value) : String(value))

/** Returns the query that calls a macro: required arguments by place, the others by name. */
const callMacro = (file: TableFile, given: Readonly<Record<string, Literal>>): string => {
  const called = macroParameters(file).flatMap(({ name, otherwise }) => {
    const value = given[name]
    if (value === undefined) return []
    return otherwise === null ? literal(value) : `${name} := ${literal(value)}`
  })
  // A search ranks its results, but its macro does not sort them.
  const isRanked = file.name === "find_products"
  return `from ${file.name}(${called.join(", ")})${isRanked ? " order by place" : ""}`
}

/** Every macro of the lake as a tool: its name, its comment and its arguments. */
export const macroTools = macros.map((file) => ({
  name: file.name,
  description: file.comment,
  parameters: macroArguments(macroParameters(file)),
  sql: (given: ToolArguments["Type"]) => Effect.succeed(callMacro(file, given))
}))
