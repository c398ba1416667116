/** Words for values, folded and without spaces; the parts of a pattern are those of regular expressions. */

export const yesWords =
  "1|true|yes|y|x|✓|✔|on|wahr|ja|j|vrai|oui|verdadero|si|vero|verdadeiro|sim|prawda|tak|はい|有|あり|waar"

export const noWords =
  "0|false|no|n|none|na|off|falsch|nein|keine?|kein|faux|non|aucune?|falso|ninguno|nessuno|nao|nenhum|falsz|nie|brak|いいえ|無|なし|onwaar|nee"

/** Words before a finish that deny it. */
export const denials =
  "no|not|non|without|un|ohne|keine?|nicht|sans|pas|sin|senza|sem|nao|bez|nie|niet|geen|zonder|inte|ej|utan|ikke|uden|uten|ei"

/** Words for a foil that a marketplace can use as the name of a finish. */
export const foilWords = "foil|foils|foiled|holo|holos|holofoil|holographic"

/** Other words for a foil. */
export const otherFoilWords =
  "f|premium|foli[aei]|folii|foila|foliert|brillante?|foliowan[ay]|フォイル|ホイル|キラ|闪卡?|閃卡?"

/** Words for the ordinary finish that a marketplace can use as its name. */
export const ordinaryNames = "normal|standard|regular"

/** Other words for the ordinary finish. */
export const ordinaryWords =
  "nf|(non?|un)(foil(ed)?|holo(foil)?)|unfoliert|niefoliowan[ay]|normale|regulier|regolare|zwykl[ay]|ノーマル|通常|(ノン|非)(フォイル|ホイル)|(foil|フォイル|ホイル|キラ)(なし|無し?)|非[闪閃]|平卡|普卡"

/** Units behind a number of copies. */
export const copyWords = "x|×|stk|stück|st|pcs?|pieces?|copy|copies|ex|exemplare?|exemplaires?|szt|sztuk|枚|张|張|장"

/** Conditions, from American, European and Japanese terms. */
export const conditionWords: Readonly<Record<string, string>> = {
  NM: "m|mt|mint|nm|nmmt|mtnm|nmm|mnm|nearmint|nearmintmint|mintnearmint|gemmint|unopened|sealed|new|likenew|neu|neuwertig|fastneu|nahezuneuwertig|neuf|commeneuf|quasineuf|presqueneuf|proche(du)?neuf|nuev[ao]|casinuev[ao]|nuov[ao]|quasinuov[ao]|nov[ao]|quasenov[ao]|nowa|jaknowa|idealn[ay]|brandnew|packfresh|comonuev[ao]|comenuov[ao]|comonov[ao]|新品|美品|ほぼ新品|nieuw|zogoedalsnieuw",
  LP: "ex|exc|excellent|excelente|eccellente|ausgezeichnet|exzellent|lp|sp|goodlightlyplayed|(light|slight)(ly)?play(ed)?|(leicht|wenig)(be|ge)spielt|(legerement|peu)jouee?|(ligeramente|poco)jugad[ao]|(leggermente|poco)giocat[ao]|(levemente|pouco)jogad[ao]|lekko(grana|uzywana)|doskonal[ay]|licht(be|ge)speeld",
  MP: "gd|good|mp|(moderate(ly)?|medium|mod)play(ed)?|gut|(massig|mittel|moderat)(be|ge)spielt|bon|bonetat|moyen(netat)?|moyennementjouee?|buen[ao]|moderadamentejugad[ao]|buon[ao]|moderatamentegiocat[ao]|bo[am]|moderadamentejogad[ao]|dobr[ay]|matig(be|ge)speeld",
  HP: "pl|pld|played|play|hp|fair|(heavy|heavily)play(ed)?|(stark|sehr)?(be|ge)spielt|(tres|fortement)?jouee?|(muy)?jugad[ao]|(molto)?giocat[ao]|(muito)?jogad[ao]|(mocno)?grana|プレイド|(zwaar)?(be|ge)speeld",
  DMG: "po|poor|dmg|dm|d|damaged?|beschadigt|schlecht|mangelhaft|abimee?|endommagee?|mauvais(etat)?|danad[ao]|mal[ao]|pobre|danneggiat[ao]|rovinat[ao]|scars[ao]|danificad[ao]|zniszczon[ay]|uszkodzon[ay]|beschadigd|傷(あり|有り?)|キズ(あり|有り?)|ダメージ"
}

/** Conditions and languages as the EUR source numbers them. */
export const sourceEurConditions = ["NM", "NM", "LP", "MP", "LP", "HP", "DMG"]
export const sourceEurLanguages = ["en", "fr", "de", "es", "it", "zh-Hans", "ja", "pt", "ru", "ko", "zh-Hant"]

/** Names of languages that are neither a code nor a usual name in any of the languages of `nameLocales`. */
export const languageWords =
  "jp ja, kr ko, vf fr, va en, sp es, ge de, cs zh-Hans, cn zh-Hans, zh zh-Hans, chino zh-Hans, chinois zh-Hans, chinesisch zh-Hans, cinese zh-Hans, chines zh-Hans, chinski zh-Hans, chinees zh-Hans, 中国語 zh-Hans, zhs zh-Hans, zho zh-Hans, chi zh-Hans, ct zh-Hant, tw zh-Hant, zht zh-Hant, eng en, us en, gb en, usa en, esp es, jap ja, cz cs, br pt, fra fr, fre fr, deu de, ger de, spa es, ita it, por pt, jpn ja, kor ko, rus ru, castellano es, castilian es, phyrexian ph, ph ph, chinese zh-Hans, schinese zh-Hans, tchinese zh-Hant, chinesesimplified zh-Hans, chinesetraditional zh-Hant, zhcn zh-Hans, zhhans zh-Hans, zhtw zh-Hant, zhhant zh-Hant, 中文 zh-Hans, 中文简体 zh-Hans, 中文繁體 zh-Hant, ptbr pt, portuguesebrazil pt, portuguesbrasil pt, portuguesdobrasil pt, brazilian pt, enus en, engb en, englishus en, englishuk en, americanenglish en, latinamericanspanish es"

/** The languages in which names of languages are understood. */
export const nameLocales = ["en", "de", "fr", "es", "it", "pt", "pl", "nl", "ja", "ko", "ru", "zh-Hans", "zh-Hant"]

/** Codes of the languages whose names are understood. */
export const printedIn = "en fr de es it pt ja ko ru zh-Hans zh-Hant la he ar sa grc pl nl th cs hu id tr uk vi".split(
  " "
)

/** Headings of decks and of groups of cards in a list. */
export const headingWords =
  "deck|main|main ?deck|main ?board|side ?board|side|commanders?|companions?|oathbreaker|signature spells?|maybe ?board|considering|about|tokens?|wish ?list|want ?list|(artifact |legendary |basic |non ?basic )?(creatures?|planeswalkers?|lands?|artifacts?|enchantments?|instants?|sorcer(y|ies)|battles?|spells?|others?|pokemon|trainers?|energy|champions?|legends?|runes?|battlefields?|units?|gear|monsters?|traps?|extra deck|equipments?|weapons?|heroe?s?|actions?|attacks?|collection|binder|cards?)"

/** Groups of cards that somebody does not own. */
export const wantedWords = "maybe ?board|considering|wish ?list|want ?list"

/** Names of currencies and signs that are neither a code nor a sign of `Intl`. */
export const currencyWords =
  "euro EUR, euros EUR, us$ USD, dollar USD, dollars USD, au$ AUD, c$ CAD, s$ SGD, r ZAR, fr CHF, sfr CHF, rs INR, zl PLN, kc CZK, yen JPY, 円 JPY, 元 CNY, rmb CNY"

const special: Readonly<Record<string, string>> = { ß: "ss", ł: "l", ø: "o", đ: "d", ı: "i", æ: "ae", œ: "oe" }

/** Keeps the results of a function of texts, because a file repeats its words in every row. */
export const remembering = <A>(parse: (text: string) => A): ((text: string) => A) => {
  const results = new Map<string, A>()
  return (text) => {
    const kept = results.get(text)
    if (kept !== undefined || results.has(text)) return kept as A
    const result = parse(text)
    if (results.size < 10_000) results.set(text, result)
    return result
  }
}

/** Returns the words of a text in lower case, without accents and punctuation. `NearMint` is two words. */
export const foldWords = remembering((text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[̀-ͯ'’]/g, "")
    .replaceAll(/[ßłøđıæœ]/g, (letter) => special[letter] ?? letter)
    .normalize("NFC")
    .split(/[^\p{L}\p{M}\p{N}✓✔]+/u)
    .filter((word) => word !== "")
)

const whole = (words: string): RegExp => new RegExp(`^(?:${words})$`)
const [yes, no, denial] = [whole(yesWords), whole(noWords), whole(denials)]
const [foil, otherFoil] = [whole(`${foilWords}|${otherFoilWords}`), whole(otherFoilWords)]
const [ordinary, named] = [whole(ordinaryWords), whole(`${ordinaryWords}|${ordinaryNames}`)]

/** A whole number as spreadsheets write it: `1.0` is 1. */
export const withoutZeros = (text: string): string => text.replace(/^(\d+)[.,]0+$/, "$1")

/** Reads yes or no. A word of the column's own subject, as in `signed`, is yes; null = not understood. */
export const parseFlag = (text: string, subject: RegExp): boolean | null => {
  const words = foldWords(withoutZeros(text))
  if (words.length === 0 || no.test(words.join(""))) return false
  if (words.some((word) => word.startsWith("un") && subject.test(word.slice(2)))) return false
  if (words.some((word) => subject.test(word))) return !denial.test(words[0] ?? "") && !no.test(words.at(-1) ?? "")
  return words.every((word) => yes.test(word)) ? true : null
}

/** A condition, and the words after it, as in `Near Mint Foil`; `code` is null if the text begins with no condition. */
export interface ConditionText {
  readonly code: string | null
  readonly rest: string
}

const conditions = Object.entries(conditionWords).map(([code, words]) => [code, whole(words)] as const)

const findCondition = (key: string): string | null => conditions.find(([, words]) => words.test(key))?.[0] ?? null

/** Reads the condition that a text begins with, by its longest known words. */
export const parseCondition: (text: string) => ConditionText = remembering((text) => {
  const words = foldWords(text).filter((word) => word !== "condition")
  for (let count = Math.min(words.length, 5); count > 0; count--) {
    const code = findCondition(words.slice(0, count).join(""))
    if (code === null) continue
    // `NM/LP` is a range.
    const isRange = words.slice(count).some((word) => (findCondition(word) ?? code) !== code)
    const rest = words.slice(count).join(" ")
    // `Near Mint (NM)` says it twice.
    const again = parseCondition(rest)
    return isRange ? { code: null, rest: text } : { code, rest: again.code === code ? again.rest : rest }
  }
  return { code: null, rest: text }
})

const languages: ReadonlyMap<string, string> = (() => {
  const found = new Map<string, string>()
  const key = (name: string) => foldWords(name).join("")
  for (const locale of nameLocales) {
    const names = new Intl.DisplayNames([locale], { type: "language", fallback: "none" })
    for (const code of printedIn) found.set(key(names.of(code) ?? code), code)
    found.set(key(names.of("pt-BR") ?? ""), "pt")
  }
  for (const code of printedIn) found.set(key(code), code)
  for (const [name = "", code = ""] of languageWords.split(", ").map((one) => one.split(" "))) found.set(name, code)
  return found
})()

const codesOfLanguages = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" })

/** Reads a language by its name or code; null if it is un */
export const parseLanguage = remembering((text: string): string | null => {
  const found = languages.get(foldWords(text).join(""))
  if (found !== undefined) return found
  const code = /^([a-z]{2,3})([-_][a-z]{2})?$/.exec(text.trim().toLowerCase())?.[1]
  if (code !== undefined) return codesOfLanguages.of(code) === undefined ? null : code
  // `Deutsch (DE)` and `EN - English` say it twice.
  const twice = new Set(text.match(/[\p{L}\p{M}]+/gu)?.map((word) => languages.get(foldWords(word).join(""))))
  return twice.size === 1 ? ([...twice][0] ?? null) : null
})

/** Splits off the language at the end of a text, as in `Near Mint Foil - Japanese` and `NM Foil German`. */
export const splitLanguage = (text: string): readonly [text: string, language: string | null] => {
  for (const end of [/^(.*) - ([^-]{4,})$/, /^(.*\S)[\s,(-]+([^\s,()-]{4,})\)?$/]) {
    const [, before = "", tail = ""] = end.exec(text) ?? []
    const language = tail === "" ? null : parseLanguage(tail)
    if (language !== null) return [before, language]
  }
  return [text, null]
}

/**
 * Returns a finish without yes, no, denials and translations: empty for the ordinary card, `foil` for a foil of any kind,
 * null if it denies something else than foil, or only one of several finishes, as in `foil/nonfoil`.
 */
export const parseFinish = remembering((text: string): string | null => {
  const words = foldWords(withoutZeros(text))
  const joined = words.join("")
  if (words.length === 0 || no.test(joined) || ordinary.test(joined)) return ""
  if (yes.test(joined) || otherFoil.test(joined)) return "foil"
  const denied = words.findIndex((word) => denial.test(word) || no.test(word))
  const foils = words.filter((word) => foil.test(word)).length
  const isOrdinary = (word: string) => named.test(word)
  if (words.length > 1 && words.every(isOrdinary)) return ""
  // `Regular Foil` is a foil, and `Normal/Foil` one of two.
  const isOne = foils === 0 || !words.some(isOrdinary) || /^(normal|standard|regular)[\p{L}\s]+$/iu.test(text.trim())
  if (denied === -1) return isOne ? text.trim() : null
  // A denial stands first, last, or behind the name of the ordinary finish: `Standard (Non-Foil)`.
  const isOfAll = denied === words.length - 1 || words.slice(0, denied).every(isOrdinary)
  return foils === 1 && isOfAll ? "" : null
})
