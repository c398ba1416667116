import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { decimalMark, parseCopies, parseMoney } from "../../../src/desk/own/figures.ts"
import {
  parseCondition,
  parseFinish,
  parseFlag,
  parseLanguage,
  splitLanguage
} from "../../../src/desk/own/parseWords.ts"

/** An amount in ten-thousandths, as an exact decimal without zeros at its end. */
const exact = (units: bigint): string => {
  const digits = String(units < 0n ? -units : units).padStart(5, "0")
  const text = `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, "")
  return units < 0n ? `-${text}` : text
}

const grouped = (whole: string, thousands: string) => whole.replaceAll(/\B(?=(\d{3})+$)/g, thousands)

const amounts = fc.bigInt({ min: 0n, max: 9_999_999_999_9999n })
const conventions = fc.constantFrom(
  { mark: ".", thousands: "," },
  { mark: ".", thousands: "'" },
  { mark: ".", thousands: "" },
  { mark: ",", thousands: "." },
  { mark: ",", thousands: "\u00A0" },
  { mark: ",", thousands: "" }
)
const around = fc.constantFrom(
  ...([
    ["", "", 1n],
    ["€", "", 1n],
    ["", " EUR", 1n],
    ["CA$ ", "", 1n],
    ["-", "", -1n],
    ["", "-", -1n],
    ["(", ")", -1n],
    ["($", ")", -1n],
    ["kr. ", "", 1n]
  ] as const)
)

describe("an amount of money", () => {
  it("is read exactly with a decimal point or comma, thousands, signs and currencies, or is rejected", () => {
    fc.assert(
      fc.property(
        amounts,
        fc.integer({ min: 0, max: 4 }),
        conventions,
        around,
        (amount, places, how, [before, after, sign]) => {
          const units = amount - (amount % 10n ** BigInt(4 - places))
          const digits = String(units).padStart(5, "0")
          const [whole, decimals] = [digits.slice(0, -4), digits.slice(-4).slice(0, places)]
          const text = grouped(whole, how.thousands) + (decimals === "" ? "" : how.mark + decimals)
          const read = parseMoney(`${before}${text}${after}`)?.amount ?? null
          // One mark before exactly three digits can be of thousands or of decimals.
          const isAmbiguous = /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)
          assert.strictEqual(read, isAmbiguous ? null : exact(units === 0n ? 0n : units * sign), text)
          const known = parseMoney(`${before}${text}${after}`, how.mark as "." | ",")?.amount
          assert.strictEqual(known, exact(units === 0n ? 0n : units * sign), text)
        }
      ),
      { numRuns: 2000 }
    )
  })

  it("is never a part of a text", () => {
    const words = fc.stringMatching(/^[a-z]{4,8}$/).filter((word) => !/^(euro|dollar|yen)/.test(word))
    fc.assert(
      fc.property(fc.nat(9999), words, fc.nat(99), (one, word, other) => {
        for (const text of [`${one} ${word} ${other}`, `${one} ${word}`, `${word} ${one}`, `${one} ${other}/${word}`])
          assert.isNull(parseMoney(text), text)
      })
    )
  })

  const read: ReadonlyArray<readonly [text: string, amount: string | null, currency?: string | null]> = [
    ["2e2", "200"],
    ["2.5E-1", "0.25"],
    ["7.-", "7"],
    ["−7", "-7"],
    ["Rs. 70", "70", null],
    ["R$ 7,50", "7.5", "BRL"],
    ["7 zł", "7", "PLN"],
    ["US$7 USD", "7", "USD"],
    ["US $7", "7", "USD"],
    ["C$ 7", "7", "CAD"],
    ["7+", null],
    ["¥700", "700", null],
    ["€ 7 USD", null],
    ["7 k", null],
    ["7 %", null],
    ["7²", null],
    ["--7", null],
    ["1.23456", null],
    ["12.345,67.8", null],
    ["123456789012345", null]
  ]
  it(`is ${read.map(([text]) => text).join("; ")} or nothing`, () => {
    for (const [text, amount, currency] of read) {
      const money = parseMoney(text)
      assert.strictEqual(money?.amount ?? null, amount, text)
      if (currency !== undefined) assert.strictEqual(money?.currency?.usual ?? null, currency, text)
    }
  })

  it("has the decimal mark that its column proves; two proved marks are none", () => {
    assert.strictEqual(decimalMark(["2.50", "1,234", "n/a"]), ".")
    assert.strictEqual(decimalMark(["1.234", "2.345.678"]), ",")
    assert.isNull(decimalMark(["1.234", "7"]))
    assert.isNull(decimalMark(["2.50", "2,50"]))
  })
})

describe("a word", () => {
  it("is a number of copies, or is rejected", () => {
    const copies = ["3", "3.0", "3,00", "3x", "x3", "3 ×", "3.5", "-3", "3,000", "three", "3 €"].map((text) =>
      parseCopies(text)
    )
    assert.deepStrictEqual(copies, [3, 3, 3, 3, 3, 3, null, null, null, null, null])
  })

  const ordinary =
    "No Foil, Not a foil, Non-Holo, nonfoil, Foil: No, without foil, ohne Folie, unfoliert, pas de foil, no es foil, senza foil, não foil, bez folii, niefoliowana, geen foil, inte foil, ノンフォイル, フォイルなし, Non-Foil (Standard), Standard (Non-Foil), Normal (Nonfoil), Non-Cold Foil, FALSCH, Faux, いいえ, 0, N"
  const foils = "Foil, F, true, WAHR, Vrai, Verdadero, sì, Prawda, はい, 1.0, X"
  it("that denies a finish is not that finish", () => {
    for (const text of ordinary.split(", ")) assert.strictEqual(parseFinish(text), "", text)
    for (const text of foils.split(", ")) assert.strictEqual(parseFinish(text)?.toLowerCase(), "foil", text)
    for (const text of ["Cold Foil", "Regular Foil"]) assert.strictEqual(parseFinish(text), text)
    for (const text of ["foil/nonfoil", "Normal/Foil", "NonFoil, Foil", "Etched (No Foil)", "Non-etched"])
      assert.isNull(parseFinish(text), text)
  })

  it("of yes or no is one in any language, or null", () => {
    const flags = ["signed", "Not signed", "unsigned", "Oui", "falso", "nie", "perhaps", "3"].map((text) =>
      parseFlag(text, /^signed$/)
    )
    assert.deepStrictEqual(flags, [true, false, false, true, false, false, null, null])
  })

  const conditions: Readonly<Record<string, string>> = {
    NM: "Mint, NearMint, near_mint, NM-M, Near Mint (NM), NM (Near Mint), Mint condition, Neuwertig, Comme neuf, casi nuevo",
    LP: "EX, Light Play, Slightly Played, Good (Lightly Played), Lightly Played (LP), leicht gespielt, légèrement joué",
    MP: "GD, Moderate Play, Medium Played, gut, moyen",
    HP: "PL, Heavy Play, Heavy Played, Fair, bespielt, joué",
    DMG: "PO, DM, Damaged, beschädigt, abîmé"
  }
  it("of a condition is that condition; a range or another word is none", () => {
    for (const [code, texts] of Object.entries(conditions))
      for (const text of texts.split(", ")) assert.deepStrictEqual(parseCondition(text), { code, rest: "" }, text)
    for (const text of ["Creased", "NM/LP", "7", "?"]) assert.isNull(parseCondition(text).code, text)
  })

  it("of a language is its code; another word is none", () => {
    const codes = [
      "de-DE",
      "Niemiecki",
      "ドイツ語",
      "Deutsch (DE)",
      "Chinesisch (vereinfacht)",
      "Elvish",
      "xx",
      "EN/DE"
    ].map(parseLanguage)
    assert.deepStrictEqual(codes, ["de", "de", "de", "de", "zh-Hans", null, null, null])
    assert.deepStrictEqual(splitLanguage("NM Foil German"), ["NM Foil", "de"])
  })
})
