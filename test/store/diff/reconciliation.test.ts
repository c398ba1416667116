import { expansion as plainExpansion } from "../lake/invented.ts"
import { claimFacts } from "./claimFacts.ts"

const price = { pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low: 1 } } } }
const listed = {
  pricesByFinish: {
    Foil: { marketplace: { low: { amount: 1, currency: "EUR" }, listingCount: 1, availableQuantity: 1 } }
  }
}
const rare = { rarity: "rare" }

claimFacts("a claim of the changelog", {
  "is confirmed where it was seen: added, modified, removed, products and expansions": ({
    expansion,
    item,
    product
  }) => ({
    before: {
      products: [product(1, "moth"), product(2, "newt")],
      expansions: [expansion(1, "fen"), expansion(2, "bog")]
    },
    after: {
      products: [product(1, "moth", rare), product(3, "otter")],
      expansions: [expansion(1, "fen", { code: "X" }), expansion(3, "mire")]
    },
    between: [
      {
        products: { added: [item("otter", 3)], modified: [item("moth", 1)], removed: [item("newt")] },
        expansions: { added: [item("mire", 3)], modified: [item("fen", 1)], removed: [item("bog")] }
      }
    ],
    expected: [
      "expansion 1 fen: modified / modified = confirmed",
      "expansion 2 bog: removed / removed = confirmed",
      "expansion 3 mire: added / added = confirmed",
      "product 1 moth: modified / modified = confirmed",
      "product 2 newt: removed / removed = confirmed",
      "product 3 otter: added / added = confirmed"
    ]
  }),
  "is claimed_not_seen where nothing came of it": ({ item, product }) => ({
    before: { products: [product(1, "moth")] },
    after: { products: [product(1, "moth")] },
    between: [{ products: { added: [item("otter", 3)], modified: [item("moth", 1)], removed: [item("pike")] } }],
    expected: [
      "product 1 moth: modified / - = claimed_not_seen",
      "product 3 otter: added / - = claimed_not_seen",
      "product - pike: removed / - = claimed_not_seen"
    ]
  }),
  "is claimed_not_seen where something else came of it": ({ item, product }) => ({
    before: { products: [product(1, "moth")] },
    after: {},
    between: [{ products: { modified: [item("moth", 1)] } }],
    expected: ["product 1 moth: modified / removed = claimed_not_seen"]
  }),
  "is not needed for a price: price moves are left aside": ({ product }) => ({
    before: { products: [product(1, "moth")] },
    after: { products: [product(1, "moth", price)] },
    between: [],
    expected: []
  }),
  "is explained where only prices moved, whether of a source or of live listings": ({ item, product }) => ({
    before: { products: [product(1, "moth"), product(2, "newt"), product(3, "otter", price)] },
    after: { products: [product(1, "moth", price), product(2, "newt", listed), product(3, "otter", price)] },
    between: [{ products: { modified: [item("moth", 1), item("newt"), item("otter", 3)] } }],
    expected: [
      "product 1 moth: modified / - = claimed_not_seen (price_only)",
      "product 2 newt: modified / - = claimed_not_seen (price_only)",
      "product 3 otter: modified / - = claimed_not_seen"
    ]
  }),
  "is missing where something was seen without it: seen_not_claimed": ({ expansion, product }) => ({
    before: { products: [product(1, "moth"), product(2, "newt")], expansions: [expansion(1, "fen")] },
    after: { products: [product(2, "newt", rare), product(3, "otter")] },
    between: [],
    expected: [
      "expansion 1 fen: - / removed = seen_not_claimed",
      "product 1 moth: - / removed = seen_not_claimed",
      "product 2 newt: - / modified = seen_not_claimed",
      "product 3 otter: - / added = seen_not_claimed"
    ]
  }),
  "is also read with productId in place of id, or with a slug alone": ({ idOf, item, product, slugOf }) => ({
    before: { products: [product(1, "moth"), product(2, "newt")] },
    after: { products: [product(1, "moth", rare), product(2, "newt", rare), product(3, "otter")] },
    between: [
      { products: { added: [item("otter")], modified: [{ slug: slugOf("moth"), productId: idOf(1) }, item("newt")] } }
    ],
    expected: [
      "product 1 moth: modified / modified = confirmed",
      "product 2 newt: modified / modified = confirmed",
      "product 3 otter: added / added = confirmed"
    ]
  })
})

claimFacts("a claim by slug alone", {
  "is about the item that has the slug now, where two products or expansions swapped theirs": ({
    expansion,
    item,
    product
  }) => ({
    before: {
      products: [product(1, "moth"), product(2, "newt")],
      expansions: [expansion(1, "fen"), expansion(2, "bog")]
    },
    after: {
      products: [product(1, "newt"), product(2, "moth")],
      expansions: [expansion(1, "bog"), expansion(2, "fen")]
    },
    between: [
      { products: { modified: [item("moth"), item("newt")] }, expansions: { modified: [item("fen"), item("bog")] } }
    ],
    expected: [
      "expansion 1 bog: modified / modified = confirmed",
      "expansion 2 fen: modified / modified = confirmed",
      "product 1 newt: modified / modified = confirmed",
      "product 2 moth: modified / modified = confirmed"
    ]
  }),
  "is about the item that has the slug now, where three passed theirs on in a ring": ({ item, product }) => ({
    before: { products: [product(1, "moth"), product(2, "newt"), product(3, "otter")] },
    after: { products: [product(1, "newt"), product(2, "otter"), product(3, "moth")] },
    between: [{ products: { modified: [item("otter"), item("moth"), item("newt")] } }],
    expected: [
      "product 1 newt: modified / modified = confirmed",
      "product 2 otter: modified / modified = confirmed",
      "product 3 moth: modified / modified = confirmed"
    ]
  }),
  "is about the item that had the slug, where none has it now": ({ item, product }) => ({
    before: { products: [product(1, "moth")] },
    after: { products: [product(1, "newt")] },
    between: [{ products: { modified: [item("moth")] } }],
    expected: ["product 1 moth: modified / modified = confirmed"]
  })
})

claimFacts("several deployments between two readings", {
  "come to nothing where an item was added, then removed": ({ item }) => ({
    before: {},
    after: {},
    between: [{ products: { added: [item("moth", 1)] } }, { products: { removed: [item("moth")] } }],
    expected: []
  }),
  "come to a modification where an item was removed, then added": ({ item, product }) => ({
    before: { products: [product(1, "moth")] },
    after: { products: [product(1, "moth", rare)] },
    between: [{ products: { removed: [item("moth")] } }, { products: { added: [item("moth", 1)] } }],
    expected: ["product 1 moth: modified / modified = confirmed"]
  }),
  "come to an addition where an item was added, then modified": ({ item, product }) => ({
    before: {},
    after: { products: [product(1, "moth")] },
    between: [{ products: { added: [item("moht", 1)] } }, { products: { modified: [item("moth", 1)] } }],
    expected: ["product 1 moth: added / added = confirmed"]
  }),
  "come to a removal where an item was modified, then removed": ({ item, product }) => ({
    before: { products: [product(1, "moth")] },
    after: {},
    between: [{ products: { modified: [item("moth", 1)] } }, { products: { removed: [item("moth")] } }],
    expected: ["product 1 moth: removed / removed = confirmed"]
  }),
  "are explained as netted where an item was modified and modified back": ({ item, product }) => ({
    before: { products: [product(1, "moth")] },
    after: { products: [product(1, "moth")] },
    between: [{ products: { modified: [item("moth", 1)] } }, { products: { modified: [item("moth", 1)] } }],
    expected: ["product 1 moth: modified / - = claimed_not_seen (netted)"]
  }),
  "are explained as netted where an item was removed and came back as it was": ({ item, product }) => ({
    before: { products: [product(1, "moth")] },
    after: { products: [product(1, "moth")] },
    between: [{ products: { removed: [item("moth")] } }, { products: { added: [item("moth", 1)] } }],
    expected: ["product 1 moth: modified / - = claimed_not_seen (netted)"]
  })
})

const broken = { languages: "en" }
claimFacts("a record that the contract refuses", {
  "explains an addition that was not seen": ({ item, product }) => ({
    before: {},
    after: { products: [product(1, "moth", broken)] },
    between: [{ products: { added: [item("moth", 1)] } }],
    expected: ["product 1 moth: added / - = claimed_not_seen (refused)"]
  }),
  "explains a modification that reads as a removal": ({ item, product }) => ({
    before: { products: [product(1, "moth")] },
    after: { products: [product(1, "moth", broken)] },
    between: [{ products: { modified: [item("moth", 1)] } }],
    expected: ["product 1 moth: modified / removed = claimed_not_seen (refused)"]
  }),
  "explains a modification that reads as an addition": ({ item, product }) => ({
    before: { products: [product(1, "moth", broken)] },
    after: { products: [product(1, "moth")] },
    between: [{ products: { modified: [item("moth", 1)] } }],
    expected: ["product 1 moth: modified / added = claimed_not_seen (refused)"]
  }),
  "explains a removal that was not seen, because the lake never had the item": ({ item, product }) => ({
    before: { products: [product(1, "moth", broken)] },
    after: {},
    between: [{ products: { removed: [item("moth")] } }],
    expected: ["product 1 moth: removed / - = claimed_not_seen (refused)"]
  }),
  "explains it beside one that is no JSON for DuckDB, and so does that one": ({ item, product }) => ({
    before: {},
    after: { products: [product(1, "moth", broken), product(2, "newt", { rarity: "\ud800" })] },
    between: [{ products: { added: [item("moth", 1), item("newt", 2)] } }],
    expected: [
      "product 1 moth: added / - = claimed_not_seen (refused)",
      "product 2 newt: added / - = claimed_not_seen (refused)"
    ]
  }),
  "explains an expansion too": ({ idOf, item, slugOf }) => ({
    before: {},
    after: { expansions: [plainExpansion(idOf(1), { slug: slugOf("fen"), code: 7 })] },
    between: [{ expansions: { added: [item("fen", 1)] } }],
    expected: ["expansion 1 fen: added / - = claimed_not_seen (refused)"]
  })
})
