import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { amountOf } from "../src/store/diff/amountOf.ts"
import { namesFolder } from "../src/store/home/bucket/address/bucketAddressFault.ts"
import type { PulledLake } from "../src/night/cluster/copies/runPull.ts"
import {
  durationFlag,
  textArgument,
  textFlag,
  home,
  json,
  settingsOf,
  withCollection,
  switchFlag
} from "./flags/sharedFlags.ts"
import { collectionsIn } from "./print/collectionText.ts"
import { printAnswer, printFault, Stopped, wrongUsage } from "./print/printAnswer.ts"
import { showWork, warnings } from "./print/standardError.ts"
import { megabytes } from "../src/night/observe/figureTexts.ts"

const games = textArgument("game").pipe(
  Argument.withDescription("Game ids; default: every game of the lake"),
  Argument.variadic()
)
const to = textFlag("to", "DIR").pipe(Flag.withDescription("The folder of the copy; made if it is not there"))
const watch = switchFlag("watch", "Go on, and fetch what is published from now on")

const every = durationFlag(
  "every",
  "With --watch: how often to look, such as 5m; default: 30 seconds",
  '5m or "30 seconds"'
).pipe(Flag.withDefault(Duration.seconds(30)))

/** Makes a copy of a home in a bucket, for those who read the lake. */
export const pull = Command.make(
  "pull",
  { games, to, watch, every, withCollection, home, json },
  Effect.fnUntraced(function* ({ every, games, json, to, watch, withCollection, ...flags }) {
    const { bucketOf } = yield* Effect.promise(() => import("./flags/inHome.ts"))
    const { bucketServices, homeServices } = yield* Effect.promise(() => import("./settings/services.ts"))
    const { openStore } = yield* Effect.promise(() => import("../src/store/home/bucket/BucketStore.ts"))
    const { runPull } = yield* Effect.promise(() => import("../src/night/cluster/copies/runPull.ts"))
    const settings = settingsOf(flags)
    const address = yield* bucketOf(settings)
    if (!namesFolder(to))
      return yield* wrongUsage(
        "pull copies a home in a bucket into a folder of this machine, which --to names: --to DIR. The bucket is --home s3://bucket/prefix"
      )
    if (address === null)
      return yield* wrongUsage("pull copies a home in a bucket. Name it with --home s3://bucket/prefix")
    const once = Effect.gen(function* () {
      const services = yield* Layer.build(Layer.merge(homeServices({ CARDLAKE_HOME: to }), bucketServices(settings)))
      const pulled = Effect.flatMap(openStore(address), (store) => runPull(store, games, withCollection))
      return yield* Effect.provideContext(pulled, services)
    }).pipe(Effect.scoped)
    const first = yield* showWork({ what: "Fetching", json })(once)
    yield* printAnswer(
      json,
      first,
      (pulled) => `${pulledText(pulled)}${withCollection ? `. With it: ${collectionsIn(pulled.collections)}` : ""}`
    )
    for (const { reason } of first.lost) yield* printFault(reason)
    if (!watch && first.lost.length > 0) return yield* new Stopped({ code: 4 })
    if (!watch) return
    const again = Effect.gen(function* () {
      yield* Effect.sleep(every)
      const next = yield* Effect.result(once)
      // A store that is away for a while is back later.
      if (next._tag === "Failure") yield* printFault(next.failure.message)
      else if (next.success.isNew) yield* printAnswer(json, next.success, pulledText)
    })
    return yield* Effect.forever(again)
  })
).pipe(
  Command.provide(warnings),
  Command.withDescription("Copy a lake from its home in a bucket, or bring the copy up to date"),
  Command.withExamples([
    {
      command: "cardlake pull --home s3://lakes/cards --to /srv/cards",
      description: "All games, with a lake.duckdb to query and explore"
    },
    {
      command: "cardlake pull magic --home s3://lakes/cards --to /srv/magic --watch",
      description: "One game, kept up to date"
    }
  ])
)

/** What a pull did, for a person. */
const pulledText = ({ bytes, fetched, from, games, home, isNew, seconds }: PulledLake): string =>
  isNew
    ? `${home} has ${amountOf(games.length, "game")} of ${from}: ${amountOf(fetched, "new file")}, ${megabytes(bytes)} MB, in ${seconds.toFixed(1)} s`
    : `${home} has everything that ${from} has published`
