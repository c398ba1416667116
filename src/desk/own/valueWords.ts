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
