import { Context, Effect, Layer, type Scope } from "effect"
import { serveExplorer } from "../../../src/desk/explorer/serveExplorer.ts"
import { Home } from "../../../src/store/home/Home.ts"
import type { Lake } from "../../../src/store/lake/duckdb/Lake.ts"
import { emptyHome } from "../../store/lake/handMadeNights.ts"
import { builtOnce } from "../../builtOnce.ts"
import { filledHome } from "../../filledOnce.ts"
import { allowedHost } from "../../feed/guard/hosts.ts"
import { type Row, lakeRows } from "../../store/lake/tableRows.ts"
import { twoSampleNights } from "../../store/lake/sampleHome.ts"

/** A page as it came. */
export interface Answer {
  readonly status: number
  readonly html: string
}

/** Pages over a home, and the lake itself to compare them with. */
export interface Explored {
  /** The folder of the home. */
  readonly root: string
  readonly url: string
  readonly page: (path: string) => Effect.Effect<Answer>
  readonly rows: (sql: string) => Effect.Effect<ReadonlyArray<Row>>
}

export const get = (url: string, init?: RequestInit): Effect.Effect<Answer> =>
  Effect.promise(async () => {
    const response = await fetch(url, init)
    return { status: response.status, html: await response.text() }
  })

/** Serves pages over a home until the scope closes. */
export const explore = Effect.fnUntraced(function* (services: Context.Context<Home | Lake>) {
  const url = yield* Effect.provideContext(serveExplorer({ port: 0, allowedHosts: [allowedHost] }), services)
  return {
    root: Context.get(services, Home).root,
    url,
    page: (path) => get(url + path),
    rows: (sql) => Effect.orDie(Effect.provideContext(lakeRows(sql), services))
  } satisfies Explored
})

type Filling = Layer.Success<typeof emptyHome> | Scope.Scope

/** Pages over the home that the tests of a suite share. */
export class Pages extends Context.Service<Pages, Explored>()("cardlake/test/Pages") {
  /** Pages over a home of their own, which `fill` fills. */
  static readonly over = <A, E>(fill: Effect.Effect<A, E, Filling>) =>
    Layer.effect(Pages, Effect.andThen(fill, Effect.flatMap(Effect.context<Home | Lake>(), explore))).pipe(
      Layer.provide(emptyHome)
    )
  /** Pages over a home that is filled once for all processes of a run; no test changes it. */
  static readonly filled = <E>(name: string, fill: Effect.Effect<unknown, E, Filling>) =>
    Layer.effect(Pages, Effect.flatMap(Effect.context<Home | Lake>(), explore)).pipe(
      Layer.provide(filledHome(name, fill)),
      builtOnce
    )
}

const answers = new WeakMap<Explored, Map<string, Answer>>()

/** A page of the suite's. It is made once: a test that changes the home asks `Pages` itself. */
export const page = Effect.fnUntraced(function* (path: string) {
  const pages = yield* Pages
  const made = answers.get(pages) ?? new Map<string, Answer>()
  answers.set(pages, made)
  const answer = made.get(path) ?? (yield* pages.page(path))
  made.set(path, answer)
  return answer
})
/** Rows of the lake behind them. */
export const rows = (sql: string) => Effect.flatMap(Pages, (pages) => pages.rows(sql))

/** Pages over two nights of the sample's smallest game. */
export const exploredSample = Pages.filled("sample", twoSampleNights)

/** The text of markup: no tags, entities decoded, one blank for many. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim()

/** The cells of the table whose caption begins so, by row, head first, without what a phone alone shows or what is folded; empty if there is none. */
export const tableOf = ({ html }: Answer, caption: string): ReadonlyArray<ReadonlyArray<string>> => {
  const table = [...html.matchAll(/<table[\s\S]*?<\/table>/g)]
    .map(([text]) => text)
    .find((text) => textOf(/<caption>([\s\S]*?)<\/caption>/.exec(text)?.[1] ?? "").startsWith(caption))
  return [...(table ?? "").matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
    [
      ...row
        .replaceAll(/<small class="narrow">[\s\S]*?<\/small>|<details[\s\S]*?<\/details>/g, "")
        .matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)
    ].map(([, cell = ""]) => textOf(cell))
  )
}

/** A column of a table by its label. */
export const columnOf = (answer: Answer, caption: string, label: string): ReadonlyArray<string> => {
  const [head = [], ...rows] = tableOf(answer, caption)
  return rows.map((row) => row[head.indexOf(label)] ?? "no such column")
}

/** How many rows a list has over all its pages. */
export const totalOf = ({ html }: Answer): number => {
  const pager = textOf(/class="pager"[^>]*>([\s\S]*?)<\/(?:p|nav)>/.exec(html)?.[1] ?? "")
  return Number((/–[\d,]+ of ([\d,]+)/.exec(pager) ?? /^([\d,]+) rows?\b/.exec(pager))?.[1]?.replaceAll(",", ""))
}

/** A count as the pages show it. */
export const counted = (value: unknown): string => Number(value).toLocaleString("en-US")

interface Drawn {
  readonly title: string
  readonly legend: ReadonlyArray<string>
  readonly spoken: string
  /** Of each line: its steps as from, to and amount, those of the service's own history apart, its points, its bands. */
  readonly lines: ReadonlyArray<{
    readonly steps: ReadonlyArray<readonly [from: number, to: number, amount: number]>
    readonly past: ReadonlyArray<readonly [from: number, to: number, amount: number]>
    readonly points: ReadonlyArray<readonly [at: number, amount: number]>
    readonly bands: number
  }>
}

/** The charts of a page as somebody reads them off: places in thousandths of the width, amounts by the scale. */
export const drawnLines = (html: string): ReadonlyArray<Drawn> =>
  [...html.matchAll(/<figure class="chart"[\s\S]*?<\/figure>/g)].map(([figure]) => {
    const scale = [...figure.matchAll(/x="100%" y="([\d.]+)%"[^>]*>([^<]*)</g)].map(
      ([, y, amount = ""]) => [Number(y) * 10, Number(amount.replaceAll(/[^\d.]/g, ""))] as const
    )
    const [[low = 0, least = 0] = [], [high = 1, most = 1] = []] = [scale[0], scale.at(-1)]
    const amountAt = (y: number) => Math.round((least + ((y - low) / (high - low)) * (most - least)) * 100) / 100
    const stepsIn = (path: string) =>
      [...path.matchAll(/M([\d.]+) ([\d.]+)H([\d.]+)/g)].map(
        ([, from, y, to]) => [Number(from), Number(to), amountAt(Number(y))] as const
      )
    const circles = [...figure.matchAll(/<circle\s+class="(line-\d)"\s+cx="([\d.]+)%"\s+cy="([\d.]+)%"/g)].map(
      ([, line, x, y]) => ({ line, point: [Number(x) * 10, amountAt(Number(y) * 10)] as const })
    )
    const path = (group: string, name: string) => new RegExp(`class="${name}" d="([^"]*)"`).exec(group)?.[1] ?? ""
    return {
      title: textOf(/<figcaption>([\s\S]*?)<\/figcaption>/.exec(figure)?.[1] ?? ""),
      legend: [...figure.matchAll(/<li class="line-\d">([\s\S]*?)<\/li>/g)].map(([, item = ""]) => textOf(item)),
      spoken: textOf(/role="img" aria-label="([^"]*)"/.exec(figure)?.[1] ?? ""),
      lines: [...figure.matchAll(/<g class="(line-\d)">([\s\S]*?)<\/g>/g)].map(([, line, group = ""]) => ({
        steps: stepsIn(path(group, "night")),
        past: stepsIn(path(group, "history")),
        points: circles.filter((circle) => circle.line === line).map(({ point }) => point),
        bands: path(group, "band").match(/Z/g)?.length ?? 0
      }))
    }
  })
