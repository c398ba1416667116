import { Effect, Result } from "effect"
import { State } from "../state/State.ts"
import { findAccount } from "./accountRows.ts"
import { addKey } from "./keys.ts"
import { makeAccount } from "./makeAccount.ts"

const first = { id: "acc_sandbox", username: "sandbox", createdAt: "2026-01-01T00:00:00.000Z" }

/** The account `sandbox`, which always exists, and a key to it. It does not sell. */
export const firstAccount = (key: string, scopes: ReadonlyArray<string>) =>
  Effect.flatMap(State, ({ write }) =>
    write((tx) => {
      if (findAccount(tx, first.id) === undefined) makeAccount(tx, first)
      return Result.succeed(addKey(tx, first.id, { secret: key, scopes }))
    })
  )
