import { claimFacts } from "./claimFacts.ts"

claimFacts("a removed item, which the changelog names by slug alone", {
  "is the one of two products with that slug that is gone": ({ item, product }) => ({
    before: { products: [product(1, "forest"), product(2, "forest")] },
    after: { products: [product(1, "forest")] },
    between: [{ products: { removed: [item("forest")] } }],
    expected: ["product 2 forest: removed / removed = confirmed"]
  }),
  "is each of two products with one slug that go at once": ({ item, product }) => ({
    before: { products: [product(1, "forest"), product(2, "forest"), product(3, "forest")] },
    after: { products: [product(2, "forest")] },
    between: [{ products: { removed: [item("forest"), item("forest")] } }],
    expected: ["product 1 forest: removed / removed = confirmed", "product 3 forest: removed / removed = confirmed"]
  }),
  "is each of two products with one slug that go one after the other": ({ item, product }) => ({
    before: { products: [product(1, "forest"), product(2, "forest")] },
    after: {},
    between: [{ products: { removed: [item("forest")] } }, { products: { removed: [item("forest")] } }],
    expected: ["product 1 forest: removed / removed = confirmed", "product 2 forest: removed / removed = confirmed"]
  }),
  "is the same product when it goes, returns and goes again": ({ item, product }) => ({
    before: { products: [product(1, "moth")] },
    after: {},
    between: [
      { products: { removed: [item("moth")] } },
      { products: { added: [item("moth", 1)] } },
      { products: { removed: [item("moth")] } }
    ],
    expected: ["product 1 moth: removed / removed = confirmed"]
  }),
  "is found under the slug that it was given in between": ({ item, product }) => ({
    before: { products: [product(1, "moth")] },
    after: {},
    between: [{ products: { modified: [item("moon-moth", 1)] } }, { products: { removed: [item("moon-moth")] } }],
    expected: ["product 1 moon-moth: removed / removed = confirmed"]
  }),
  "is not the one that gave its slug away and lives on": ({ item, product }) => ({
    before: { products: [product(1, "moth")] },
    after: { products: [product(1, "old-moth")] },
    between: [
      { products: { modified: [item("old-moth", 1)], added: [item("moth", 2)] } },
      { products: { removed: [item("moth")] } }
    ],
    expected: ["product 1 old-moth: modified / modified = confirmed"]
  }),
  "is the old one where a new one takes its slug in the same deployment": ({ item, product }) => ({
    before: { products: [product(2, "moth")] },
    after: { products: [product(1, "moth")] },
    between: [{ products: { removed: [item("moth")], added: [item("moth", 1)] } }],
    expected: ["product 1 moth: added / added = confirmed", "product 2 moth: removed / removed = confirmed"]
  }),
  "is found by the feed's own slug, made of expansion and name": ({ expansion, idOf, item, product, slugOf }) => {
    const fens = [expansion(7, "fen"), expansion(8, "bog")]
    const first = product(1, "moth", { expansionId: idOf(7) })
    const second = product(2, "moth", { expansionId: idOf(8) })
    return {
      before: { products: [first, second], expansions: fens },
      after: { products: [first], expansions: fens },
      between: [{ products: { removed: [item(`${slugOf("bog")}-moth`)] } }],
      expected: [`product 2 ${slugOf("bog")}-moth: removed / removed = confirmed`]
    }
  },
  "is no product where an expansion of that slug and id goes": ({ expansion, item, product }) => ({
    before: { products: [product(5, "twin")], expansions: [expansion(5, "twin")] },
    after: { products: [product(5, "twin")] },
    between: [{ expansions: { removed: [item("twin")] } }],
    expected: ["expansion 5 twin: removed / removed = confirmed"]
  })
})
