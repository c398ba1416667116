const filter = /(?:^|\s)((set|finish|rarity|kind|game|currency|price)[:=<>]+("[^"]*"|\S*))/gi

/** What each filter looks like. */
const examples: Readonly<Record<string, string>> = {
  set: "set:mh2",
  finish: "finish:foil",
  rarity: "rarity:m",
  kind: "kind:sealed",
  game: "game:magic",
  currency: "currency:usd",
  price: "price>20"
}

/** The filters in what somebody typed, the words beside them, and what is wrong with one of them; null = nothing. */
export const saidFilters = (said: string) => {
  const filters = [...said.matchAll(filter)].map(([, whole = "", name = "", value = ""]) => ({
    whole,
    name: name.toLowerCase(),
    value
  }))
  const wrong = filters.find(({ name, value }) => (name === "price" ? !/^[\d.,]+$/.test(value) : /^"*$/.test(value)))
  return {
    filters: filters.map(({ whole }) => whole),
    words: said.replaceAll(filter, " ").trim(),
    fault: wrong === undefined ? null : `${wrong.whole} is no filter. One is ${examples[wrong.name]}`
  }
}
