import { assert, it } from "@effect/vitest"
import { isAbsolute, join, relative } from "node:path"
import * as fc from "fast-check"
import { isPathBelow, joinBelow, PathOutside } from "../../../src/feed/guard/joinBelow.ts"

const names = fc.array(fc.constantFrom("..", ".", "", "a", "...", "..a", "a..", "\\", "\0", "é"), { minLength: 1 })

it("a path that a document names is joined below its folder as it is, or refused", () => {
  fc.assert(
    fc.property(names, (parts) => {
      const name = parts.join("/")
      const isLeaving = parts.some((part) => part === ".." || part === "." || part === "" || /[\\\0]/.test(part))
      assert.strictEqual(isPathBelow(name), !isLeaving)
      if (isLeaving) {
        assert.throws(() => joinBelow("/data/home", ...parts), PathOutside)
        return
      }
      const joined = joinBelow("/data/home", ...parts)
      const below = relative("/data/home", joined)
      assert.strictEqual(joined, join("/data/home", below))
      assert.isFalse(isAbsolute(below) || below === ".." || below.startsWith("../"))
    })
  )
})

it("a path is refused that no disk stores, or that begins at the root", () => {
  for (const name of ["/etc/passwd", "x".repeat(256), "x/".repeat(600) + "x", ""])
    assert.throws(() => joinBelow("/data/home", name), PathOutside)
})
