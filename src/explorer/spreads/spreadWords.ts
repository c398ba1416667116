import type { Json } from "@duckdb/node-api"
import { counted } from "../figures.ts"
import type { Row } from "../LakeReader.ts"

/** What to do about a spread between regions. */
export const tradeWords = (row: Row): string => {
  if (row["net"] === null || row["net"] === undefined) return ""
  if (Number(row["net"]) <= 0) return "neither way pays"
  return row["buy_in"] === "eu" ? "buy in Europe, sell in North America" : "buy in North America, sell in Europe"
}

/** How much more one figure is than another, by the percentage: 3 times, 20 % more than, 20 % less than. */
const comparedWords = (percent: number): string => {
  if (percent >= 100) return `${timesText(1 + percent / 100)} times`
  const whole = Math.round(Math.abs(percent))
  return whole === 0 ? "about" : `${whole} % ${percent > 0 ? "more" : "less"} than`
}

/** A listing against a market value: asked 3 times what it sells for. */
export const askedWords = (percent: Json | undefined): string => {
  if (percent === null || percent === undefined) return ""
  const compared = comparedWords(Number(percent))
  return `asked ${compared} ${compared.endsWith("than") ? "it sells for" : "what it sells for"}`
}

/** A source against another: TCGplayer says 3 times what Cardmarket says. */
export const saysWords = (percent: Json | undefined, first: string, second: string): string => {
  if (percent === null || percent === undefined) return ""
  // Half of it is twice the other way round.
  const isHalf = Number(percent) <= -50 && Number(percent) > -100
  const [one, other] = isHalf ? [second, first] : [first, second]
  const compared = comparedWords(isHalf ? 10_000 / (100 + Number(percent)) - 100 : Number(percent))
  return `${one} says ${compared} ${compared.endsWith("than") ? "" : "what "}${other}${compared.endsWith("than") ? "" : " says"}`
}

/** A high price against a low one: the high is 3 times the low. */
export const rangeWords = (low: Json | undefined, high: Json | undefined): string => {
  const [least, most] = [Number(low ?? 0), Number(high ?? 0)]
  return least > 0 && most >= least ? `the high is ${timesText(most / least)} times the low` : ""
}

/** 3, 2.4, 1,200 */
const timesText = (times: number): string =>
  times >= 10 ? counted(Math.round(times)) : times.toFixed(1).replace(/\.0$/, "")
