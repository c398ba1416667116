import { Cause, Effect, Exit, Fiber, Layer, Predicate, Schema, Stdio, Stream } from "effect"
import { McpProtocol, McpServer, Tool, Toolkit } from "effect/ai"
import { ownText } from "../../feed/disk/ownText.ts"
import { askLake, LakeAnswer } from "./askLake.ts"
import { assistantTools, type AssistantTool } from "./assistantTools.ts"
import type { ToolArguments } from "./macroTools.ts"

/** The protocol's revisions: that of most clients, the one after it, and the first without sessions. */
const protocols = [McpProtocol.v2026_07_28, McpProtocol.v2025_11_25, McpProtocol.v2025_06_18] as const

const resources = [
  {
    uri: "cardlake://dictionary",
    title: "Data dictionary",
    mimeType: "text/markdown",
    description: "Every table, view and macro of the lake with its columns, their types and their meaning",
    text: () => ownText(new URL("../../../data/DICTIONARY.md", import.meta.url))
  },
  {
    uri: "cardlake://questions",
    title: "Ten questions",
    mimeType: "text/markdown",
    description: "Ten questions about prices with the SQL that answers them, and the answers of a demo lake",
    text: () => ownText(new URL("../../../data/guide/questions.md", import.meta.url))
  }
]

const instructions = `Cardlake is a lake of trading-card prices: a marketplace's catalogue and prices, read every night.
Start with describe (no arguments) for the list of tables, views and macros, and with the resource cardlake://questions for examples in SQL.
Each macro is a tool. To filter, sort or aggregate its rows, call it in the tool query, such as: from movers(days := 7) where name like 'A%' limit 5.
The SQL is DuckDB's. A query can only read the lake. It is stopped after 15 seconds, and an answer has at most 200 rows: is_cut says whether rows are missing.
Figures are exact texts, lists and structures are JSON; null is a missing value. Prices are in the column currency and are not converted.`

const toTool = ({ description, name, parameters }: AssistantTool) =>
  Tool.make(name, { description, parameters, success: LakeAnswer, failure: Schema.instanceOf(Error) })
    .annotate(Tool.Strict, true)
    .annotate(Tool.Readonly, true)
    .annotate(Tool.Destructive, false)
    .annotate(Tool.Idempotent, true)
    .annotate(Tool.OpenWorld, false)

const toolkit = Toolkit.make(...assistantTools.map(toTool))

const registrations = (withCollection: boolean) => {
  const handlers = Effect.map(Effect.context<Effect.Services<ReturnType<typeof askLake>>>(), (services) =>
    Object.fromEntries(
      assistantTools.map(({ name, sql }) => [
        name,
        (given: ToolArguments["Type"]) =>
          Effect.provideContext(
            Effect.flatMap(sql(given), (question) => askLake(question, withCollection)),
            services
          )
      ])
    )
  )
  const registered = resources.map(({ text, ...resource }) =>
    McpServer.resource({
      ...resource,
      name: resource.title,
      content: Effect.sync(() => ({ contents: [{ uri: resource.uri, mimeType: resource.mimeType, text: text() }] }))
    })
  )
  return Layer.mergeAll(McpServer.toolkit(toolkit).pipe(Layer.provide(toolkit.toLayer(handlers))), ...registered)
}

/** Returns the answer to a text that is no message of JSON-RPC; null if it is one. */
export const refuseText = (text: string) => {
  const refusal = (code: number, message: string) => ({ jsonrpc: "2.0", id: null, error: { code, message } })
  try {
    const message: unknown = JSON.parse(text)
    // The protocol itself refuses lists.
    const isMessage = ["method", "result", "error"].some((key) => Predicate.hasProperty(message, key))
    const hasId = !Predicate.hasProperty(message, "id") || ["string", "number"].includes(typeof message.id)
    return Array.isArray(message) || (isMessage && hasId) ? null : refusal(-32_600, "The message is no request")
  } catch {
    return refusal(notJson, "The message is not JSON")
  }
}

/** The code of JSON-RPC for a text that is not JSON. */
export const notJson = -32_700

/** Standard input by lines. A faulty line gets an error of its own; the protocol would lose its neighbours. */
const messageLines = Effect.map(Stdio.Stdio, (stdio) => {
  const stdin = stdio.stdin.pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.filter((line) => line.trim() !== ""),
    Stream.filterEffect((line) => {
      const refused = refuseText(line)
      if (refused === null) return Effect.succeed(true)
      const written = Stream.run(Stream.make(`${JSON.stringify(refused)}\n`), stdio.stdout({ endOnDone: false }))
      return Effect.as(written, false)
    }),
    Stream.map((line) => `${line}\n`),
    Stream.encodeText
  )
  return Stdio.make({ ...stdio, stdin })
})

interface Assistant {
  readonly version: string
  readonly withCollection: boolean
}

const serverOptions = ({ version, withCollection }: Assistant) => ({
  name: "cardlake",
  version,
  instructions,
  protocols,
  registrations: registrations(withCollection)
})

/**
 * Answers an assistant's questions about the lake by the Model Context Protocol, on standard input and output, until the
 * input ends. Each answer is of the lake at that time: a night may replace it meanwhile.
 */
export const serveAssistant = Effect.fnUntraced(function* (of: Assistant) {
  const server = McpServer.layerStdio(serverOptions(of)).pipe(Layer.provide(Layer.effect(Stdio.Stdio, messageLines)))
  const running = yield* Effect.forkChild(Layer.launch(server))
  const exit = yield* Fiber.await(running)
  // The end of the input interrupts the server.
  if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) return yield* exit
})

/** The same by HTTP, at `/mcp`. Who may send requests is for the server to decide; a web page may not. */
export const assistantRoute = (of: Assistant) =>
  McpServer.layerHttp({
    ...serverOptions(of),
    path: "/mcp",
    allowSessionTermination: true,
    // The lake's tools never change, so nothing would ever be sent.
    allowSubscriptions: false
  })
