import { afterAll } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { remove, startSandbox, temporaryFolder } from "../pipelines/cli.ts"
import { card, catalogueFolder } from "../store/lake/invented.ts"

/** An empty folder, which is removed after the tests of the file or of the `describe` around it. */
export const folderHere = (): string => {
  const folder = temporaryFolder()
  afterAll(() => remove(folder))
  return folder
}

/** A sandbox that stops after the tests of the file or of the `describe` around it. */
export const sandboxHere = async (options: Parameters<typeof startSandbox>[0] = {}) => {
  const sandbox = await startSandbox(options)
  afterAll(sandbox.stop)
  return sandbox
}

/** A sandbox of a catalogue that is made here. */
export const catalogueHere = async (
  games: Parameters<typeof catalogueFolder>[0],
  options: Parameters<typeof startSandbox>[0] = {}
) => {
  const scope = Scope.makeUnsafe()
  const catalogue = await Effect.runPromise(Scope.provide(catalogueFolder(games), scope))
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return sandboxHere({ catalogue, ...options })
}

/** A sandbox of one game with two cards, for tests to which it does not matter what a night reads. */
export const tinySandboxHere = (gameId: string, options: Parameters<typeof startSandbox>[0] = {}) => {
  const products = [1, 2].map((id) => card(id, { gameId, game: { id: gameId, name: gameId } }))
  return catalogueHere({ [gameId]: [{ products }] }, options)
}
