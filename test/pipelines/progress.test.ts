import { assert, it, vi } from "@effect/vitest"
import { Writable } from "node:stream"
import { displayWidth } from "effect/cli/CliOutput"
import { showNight } from "../../pipelines/print/showProgress.ts"
import type { NightEvent } from "../../src/night/observe/watchGame.ts"

/** A terminal of so many columns; `shows` resolves once a text was written to it. */
const terminalOf = (columns: number) => {
  let written = ""
  const watchers = new Set<() => void>()
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      written += String(chunk)
      for (const watch of watchers) watch()
      done()
    }
  })
  const shows = (text: string) =>
    new Promise<void>((resolve) => {
      const watch = () => {
        if (!written.includes(text)) return
        watchers.delete(watch)
        resolve()
      }
      watchers.add(watch)
      watch()
    })
  return { stream: Object.assign(stream, { isTTY: true, columns }) as never, shows, written: () => written }
}

const read = (pagesDone: number): NightEvent => ({
  gameId: "clockwork-orchard-of-the-second-age",
  stage: "reading",
  kind: "products",
  pagesDone,
  pagesTotal: 1000,
  records: pagesDone * 200,
  expectedEndAt: "2026-08-20T05:30:00Z"
})

for (const columns of [60, 80, 200]) {
  it(`the bar of a night on ${columns} columns only grows, though a game is read again, and is one line`, async () => {
    const { shows, stream, written } = terminalOf(columns)
    const { onProgress, stop } = showNight(stream)
    for (const pages of [1, 500, 900, 2]) {
      onProgress(read(pages))
      await shows(` ${pages}/1000 pages`)
    }
    stop()
    const lines = written()
      // eslint-disable-next-line no-control-regex
      .split(/\u001B\[[?\d;]*[A-Za-z]|\r|\n/)
      .filter((line) => line.includes("░"))
    const grown = lines.map((line) => line.split("█").length - 1)
    assert.deepStrictEqual(
      grown,
      grown.toSorted((a, b) => a - b)
    )
    assert.isAbove(grown.at(-1) ?? 0, grown[0] ?? 0)
    for (const line of lines) assert.isBelow(displayWidth(line), Math.min(columns, 80))
  })
}

it("without a terminal, each stage is a line with its time, and a long one says once a minute how far it is", () => {
  const lines: Array<string> = []
  const stream = { isTTY: false, write: (line: string) => lines.push(line) } as never
  const now = vi.spyOn(performance, "now")
  const { onProgress } = showNight(stream)
  const start = performance.now()
  for (const [seconds, pages] of [
    [0, 1],
    [59, 20],
    [61, 40],
    [90, 41],
    [122, 60]
  ] as const) {
    now.mockReturnValue(start + 1000 * seconds)
    onProgress(read(pages))
  }
  now.mockRestore()
  assert.deepStrictEqual(
    lines.map((line) => line.replace(/^[\d-]{10}T[\d:]{8}Z /, "").replace(/, ends at .*/s, "")),
    [
      "clockwork-orchard-of-the-second-age: reading products\n",
      "clockwork-orchard-of-the-second-age: reading products, 40/1000 pages, 8,000 rows",
      "clockwork-orchard-of-the-second-age: reading products, 60/1000 pages, 12,000 rows"
    ]
  )
})
