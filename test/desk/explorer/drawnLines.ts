import { textOf } from "./explored.ts"

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
