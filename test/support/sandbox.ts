import { it as plain, layer as layerTests, type TestOptions, type Vitest } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The steps of a test, as `Effect.gen` takes them. */
// oxlint-disable-next-line typescript/no-explicit-any
type Steps<R> = () => Generator<Effect.Effect<any, any, R | Scope.Scope>, unknown, never>
type Test<R> = (name: string, steps: Steps<R>, options?: number | TestOptions) => void

const testOf =
  <R>(tester: Vitest.Test<R | Scope.Scope>): Test<R> =>
  (name, steps, options) =>
    tester(name, () => Effect.gen(steps), options)

interface Options {
  readonly skip?: boolean
  readonly timeout?: number
  readonly excludeTestServices?: boolean
}

/** Tests that share a layer, such as a running sandbox. Each test is a name and its steps. */
export const suite =
  <R, E>(services: Layer.Layer<R, E>, { skip = false, ...options }: Options = {}) =>
  (name: string, tests: (test: Test<R>) => void): void =>
    layerTests(services, options)(name, ({ effect }) => tests(testOf(skip ? effect.skip : effect)))

/** A test on its own, with the test clock. */
export const effect: Test<never> = testOf(plain.effect)

/** A test on its own, with the machine's clock. */
export const live: Test<never> = testOf(plain.live)

const at = (item: unknown, path: string): unknown =>
  path.split(".").reduce((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], item)

/** The values at a path of each item, such as `seller.id`; of several paths, lists of them. */
export const values = (items: ReadonlyArray<unknown>, ...paths: ReadonlyArray<string>): ReadonlyArray<unknown> =>
  items.map((item) => (paths.length === 1 ? at(item, paths[0] ?? "") : paths.map((path) => at(item, path))))

/** The sum of the numbers at a path of each item. */
export const total = (items: ReadonlyArray<unknown>, path: string): number =>
  values(items, path).reduce<number>((sum, value) => sum + Number(value), 0)

/** A folder that is removed with its scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "cardlake-sandbox-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)
