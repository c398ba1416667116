import assert from "node:assert/strict"
import { fact, type Fact } from "../Fact.ts"
import type { World } from "../world/World.ts"
import type { Kind } from "./kinds.ts"
import { all } from "./paths.ts"

/** Facts about a field of records: each value is of its kind, and what the kind tells apart is seen. */
export const fieldsOf =
  (name: string, records: (world: World) => ReadonlyArray<unknown> | Promise<ReadonlyArray<unknown>>) =>
  (rows: string | ReadonlyArray<string>, path: string, kind: Kind): Fact =>
    fact(rows, `${name}: \`${path}\` is ${kind.says}`, async (world) => {
      const values = all(await records(world), `*.${path}`)
      assert.ok(values.length > 0, `no ${name} has ${path}`)
      const strange = values.find((value) => !kind.is(value))
      assert.ok(
        values.every((value) => kind.is(value)),
        `${path} should be ${kind.says}, but is ${JSON.stringify(strange)}`
      )
      const unseen = kind.sights.filter((sight) => !values.some((value) => sight.is(value)))
      assert.deepEqual(
        unseen.map(({ says }) => says),
        [],
        `${path} is never ${unseen.map(({ says }) => says).join(", ")} in ${values.length} values`
      )
    })
