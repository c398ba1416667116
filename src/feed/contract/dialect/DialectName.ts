import { Schema } from "effect"
import { type DialectName as Name, dialectNames } from "./dialects.ts"

const ofFile = new RegExp(`^(?:${dialectNames.join("|")})\\+[a-z][a-z0-9-]*@[0-9a-f]{12}$`)

const isFileName = Schema.is(Schema.String.check(Schema.isPattern(ofFile)))

export const KnownDialectName = Schema.Literals(dialectNames)

/** A dialect's name in documents. It is separate from the words because `--help` loads those without any schema. */
export const DialectName = Schema.Union([
  KnownDialectName,
  Schema.declare((name): name is Exclude<Name, (typeof dialectNames)[number]> => isFileName(name))
])
export type DialectName = typeof DialectName.Type
