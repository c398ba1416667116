/** A change of the code under test that makes it wrong. */
export interface PlantedBug {
  /** Where histories find it. */
  readonly kind: "folder" | "bucket" | "budget" | "log" | "nights"
  readonly edits: ReadonlyArray<{ readonly file: string; readonly find: string; readonly replace: string }>
}

const edit = (file: string, find: string, replace: string) => ({ file, find, replace })

/** The bugs that the simulation has to find. A text that does not occur exactly once in its file is an error. */
export const plantedBugs: Readonly<Record<string, PlantedBug>> = {
  "no flush before rename": {
    kind: "folder",
    edits: [edit("store/home/disk.ts", "text, { mode, flush: true })", "text, { mode })")]
  },
  "manifest first": {
    kind: "folder",
    edits: [
      edit("store/lake/history/feed.ts", "Effect.forEach(staged, (file)", "Effect.forEach(staged.toReversed(), (file)")
    ]
  },
  "If-None-Match dropped": {
    kind: "bucket",
    edits: [
      edit(
        "store/home/bucket/BucketStore.ts",
        'tag === null ? { IfNoneMatch: "*" }',
        'tag === null ? (path.includes("/commits/") ? {} : { IfNoneMatch: "*" })'
      )
    ]
  },
  "head asked once": {
    kind: "nights",
    edits: [
      edit(
        "feed/reading/extractGame.ts",
        "const stoodStill = after?.id === head?.id && !reading.moved",
        "const stoodStill = true"
      )
    ]
  },
  "census skipped": {
    kind: "nights",
    edits: [
      edit("feed/reading/extractGame.ts", "if (stoodStill && reading.faults.length === 0) {", "if (stoodStill) {")
    ]
  },
  "lease by the local clock": {
    kind: "budget",
    edits: [
      edit(
        "store/home/bucket/budget/bucketBudgets.ts",
        "const time = store.clock.at(now)",
        "const local = yield* Clock.currentTimeMillis\n      const time = { earliest: local, latest: local }"
      ),
      edit("store/home/bucket/budget/bucketBudgets.ts", "import { Effect, Random }", "import { Clock, Effect, Random }")
    ]
  },
  "garbage collected before its commit": {
    kind: "bucket",
    edits: [
      edit(
        "store/home/bucket/namedKeys.ts",
        "    commits = (yield*",
        "    yield* Effect.forEach(garbage, ({ path }) => store.remove(path), { discard: true })\n    commits = (yield*"
      ),
      edit("store/home/bucket/log/objects.ts", "retainedMillis = 7 * 24 * 3600 * 1000", "retainedMillis = -3_600_000")
    ]
  },
  "prune ignores what a manifest names": {
    kind: "folder",
    edits: [
      edit(
        "night/run/runPrune.ts",
        "const used = new Set(manifests.filter((one) => kept.all.has(one.snapshot)).flatMap(listRawRuns))",
        "const used = new Set<string>()"
      )
    ]
  },
  "a writer skips objects after it lost a number": {
    kind: "log",
    edits: [
      edit("store/home/bucket/log/commitLog.ts", "    attempt = yield* newAttempt\n  }", "  }"),
      edit(
        "store/home/bucket/log/objects.ts",
        "  if (objects.length === 0) return\n",
        "  if ((yield* store.list(`${folder.room}/objects/${folder.attempt}/`)).length > 0) return\n"
      )
    ]
  },
  "a number is used twice": {
    kind: "log",
    edits: [
      edit(
        "store/home/bucket/log/commitLog.ts",
        "if (!(yield* isStillThere(store, room, base, text))) return",
        "if (!(yield* isStillThere(store, room, base, text)) && tries < 0) return"
      )
    ]
  },
  "collected before its commit": {
    kind: "log",
    edits: [
      edit(
        "store/home/bucket/namedKeys.ts",
        "    commits = (yield*",
        "    yield* Effect.forEach(garbage, ({ path }) => store.remove(path), { discard: true })\n    commits = (yield*"
      )
    ]
  },
  "a retry creates twice": {
    kind: "log",
    edits: [
      edit(
        "store/home/bucket/log/commitLog.ts",
        "    if (isRefused && found !== null && found.text !== text) return null",
        "    if (isRefused && found !== null) return null"
      )
    ]
  },
  "a lost newest commit": {
    kind: "log",
    edits: [
      edit(
        "store/home/bucket/log/commitLog.ts",
        "    const found = yield* store.read(key)\n    if (isRefused",
        '    const found = written._tag === "Success" && written.success ? { text } : yield* store.read(key)\n    if (isRefused'
      )
    ]
  },
  "a conflict counts as success": {
    kind: "log",
    edits: [
      edit(
        "store/home/bucket/log/commitLog.ts",
        "    if (isRefused && found !== null && found.text !== text) return null\n",
        ""
      ),
      edit("store/home/bucket/log/commitLog.ts", "    if (found.text !== text) return null\n", "")
    ]
  }
}
