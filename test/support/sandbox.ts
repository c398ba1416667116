import { layer } from "@effect/vitest"
import { type Layer } from "effect"
import { type Test, testOf } from "./suite.ts"

/** Tests that share a layer, such as a running sandbox, on the test clock. Each test is a name and its steps. */
export const suite =
  <R, E>(services: Layer.Layer<R, E>) =>
  (name: string, tests: (test: Test<R>) => void): void =>
    layer(services)(name, ({ effect }) => tests(testOf(effect)))

const at = (item: unknown, path: string): unknown =>
  path.split(".").reduce((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], item)

/** The values at a path of each item, such as `seller.id`; of several paths, lists of them. */
export const values = (items: ReadonlyArray<unknown>, ...paths: ReadonlyArray<string>): ReadonlyArray<unknown> =>
  items.map((item) => (paths.length === 1 ? at(item, paths[0] ?? "") : paths.map((path) => at(item, path))))

/** The sum of the numbers at a path of each item. */
export const total = (items: ReadonlyArray<unknown>, path: string): number =>
  values(items, path).reduce<number>((sum, value) => sum + Number(value), 0)
