import { Schema } from "effect"
import { dialectNames } from "./dialects.ts"

/** A dialect's name as documents have it. Apart from the words, which `--help` loads without any schema. */
export const DialectName = Schema.Literals(dialectNames)
export type DialectName = typeof DialectName.Type
