/** The words of one invented game. */
export interface SampleGame {
  readonly id: string
  readonly name: string
  readonly releaseDate: string
  /** Products of the first deployment. */
  readonly size: number
  readonly firstId: number
  readonly idStep: number
  readonly finishes: ReadonlyArray<string>
  readonly rarities: ReadonlyArray<string>
  readonly categories: ReadonlyArray<string>
  readonly expansions: ReadonlyArray<readonly [code: string, name: string, releaseDate: string | null]>
  /** The place of an expansion that the last deployment renames, and its new name. */
  readonly renamed: readonly [place: number, name: string]
  readonly first: ReadonlyArray<string>
  readonly second: ReadonlyArray<string>
  /** Third parts of names, for cards whose first two words are taken. */
  readonly third: ReadonlyArray<string>
  /** Names that trip readers; each is used once. */
  readonly oddNames: ReadonlyArray<string>
}

/** Three games that nobody prints. Any likeness to a real one is chance. */
export const sampleGames: ReadonlyArray<SampleGame> = [
  {
    id: "emberfall",
    name: "Emberfall Saga",
    releaseDate: "2019-05-10T00:00:00.000Z",
    size: 900,
    firstId: 10_007,
    idStep: 3,
    finishes: ["Standard", "Foil"],
    rarities: ["common", "uncommon", "rare", "mythic"],
    categories: ["booster_box", "booster_pack", "bundle", "prerelease_kit", "commander_deck"],
    expansions: [
      ["EMB", "Emberfall", "2019-05-10T00:00:00.000Z"],
      ["ASH", "Ashen Crown", "2020-02-14T00:00:00.000Z"],
      ["GLm", "Glasswood Märchen", "2021-09-03T00:00:00.000Z"],
      ["ASH", "Ashen Crown: Promos", "2020-02-14T00:00:00.000Z"],
      ["DUN", "Dunes of Orrin", "2023-11-17T00:00:00.000Z"],
      ["TKN", "Tokens without a Home", null]
    ],
    renamed: [3, "Ashen Crown: Promotional"],
    first: ["Ashen", "Kindled", "Hollow", "Vesper", "Cinder", "Molten", "Gilded", "Silent", "Wandering", "Orrin's"],
    second: [
      "Warden",
      "Drake",
      "Oath",
      "Furnace",
      "Pilgrim",
      "Lantern",
      "Chorus",
      "Bellows",
      "Sphinx",
      "Ember",
      "Tithe"
    ],
    third: [
      "of the Ninth Kiln",
      "from Cinder Pass",
      "under Glass",
      "at the Last Hearth",
      "of Nine Bells",
      "beyond the Dunes",
      "in Winter Ash",
      "of the Broken Crown",
      "without a Shadow"
    ],
    oddNames: [
      "X",
      "_____",
      'The "Unquenched"',
      "Dusk // Dawn",
      "Ash  and  Ember",
      "Kaelꞌthū the Unburnt",
      "L'Épée Brûlée"
    ]
  },
  {
    id: "tidewrack",
    name: "Tidewrack: Salt & Sail",
    releaseDate: "2022-03-01T00:00:00.000Z",
    size: 700,
    firstId: 9_007_100_000_000_000,
    idStep: 7919,
    finishes: ["Standard", "Rainbow Foil", "Cold Foil"],
    rarities: ["common", "rare", "majestic", "legendary"],
    categories: ["booster_box", "booster_pack", "booster_case", "starter_deck"],
    expansions: [
      ["TW1", "First Tide", "2022-03-01T00:00:00.000Z"],
      ["TW2", "Undertow", "2023-03-01T00:00:00.000Z"],
      ["TW3", "The Drowned Court", "2024-03-01T00:00:00.000Z"],
      ["HAR", "Harbour Promos", "2022-07-01T00:00:00.000Z"]
    ],
    renamed: [1, "Undertow Remastered"],
    first: ["Salt", "Barnacle", "Moonlit", "Drowned", "Storm", "Coral", "Brine", "Black Sail", "Siren's"],
    second: [
      "Boatswain",
      "Anchor",
      "Reef",
      "Cannonade",
      "Chart",
      "Kraken",
      "Mutiny",
      "Lighthouse",
      "Tempest",
      "Shanty"
    ],
    third: [
      "of the Low Tide",
      "off Gull Point",
      "in the Ninth Wave",
      "of the Drowned King",
      "under Green Lanterns",
      "past the Breakwater",
      "of Forty Fathoms",
      "at Slack Water"
    ],
    oddNames: ["Ŷvaine, Wasser-Königin", "無名の潮", "O", "Captain “Nine” Fingers"]
  },
  {
    id: "clockwork-orchard",
    name: "Clockwork Orchard",
    releaseDate: "2025-06-20T00:00:00.000Z",
    size: 400,
    firstId: 3_000_000_001,
    idStep: 11,
    finishes: ["Standard", "Holographic"],
    rarities: ["common", "uncommon", "rare", "epic"],
    categories: ["booster_box", "preconstructed_deck", "redemption_box"],
    expansions: [
      ["COR", "Orchard", "2025-06-20T00:00:00.000Z"],
      ["COG", "Cogs and Roots", "2025-12-05T00:00:00.000Z"]
    ],
    renamed: [1, "Cogs & Roots"],
    first: ["Brass", "Blossom", "Ticking", "Grafted", "Wound-up", "Mossy", "Copper", "Autumn"],
    second: ["Gardener", "Sparrow", "Pendulum", "Beehive", "Sapling", "Mainspring", "Trellis", "Scarecrow", "Windfall"],
    third: ["of the North Row", "in First Frost", "with a Bent Key", "of the Old Press", "at Harvest", "by Lamplight"],
    oddNames: ["Zażółć", "?", "Root/Branch/Leaf"]
  }
]

/** When the four deployments went live. Their names are the folders. */
export const sampleDeployments = [
  { date: "2026-03-01", deployedAt: "2026-03-01T04:00:12.000Z" },
  { date: "2026-03-08", deployedAt: "2026-03-08T04:00:09.000Z" },
  { date: "2026-03-09", deployedAt: "2026-03-09T04:00:31.000Z" },
  { date: "2026-03-16", deployedAt: "2026-03-16T04:01:02.000Z" }
] as const
