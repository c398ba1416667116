import { Effect, Result } from "effect"
import { State } from "../state/State.ts"
import { findAccount } from "./accountRows.ts"
import { addKey } from "./keys.ts"
import { makeAccount } from "./makeAccount.ts"

const id = "acc_sandbox"

/** The account `sandbox`, which is always there, and a key to it. It does not sell. */
export const firstAccount = (key: string, scopes: ReadonlyArray<string>) =>
  Effect.flatMap(State, ({ write }) =>
    write((tx) => {
      if (findAccount(tx, id) === undefined) makeAccount(tx, { username: "sandbox" }, id, "2026-01-01T00:00:00.000Z")
      return Result.succeed(addKey(tx, id, key, scopes))
    })
  )
