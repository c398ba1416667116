-- meant: texts of which a product must have one, where a word of a search text stands for more than itself; each begins a word. Null = the word itself
create macro search.meant(word) as map {
  'display': [' display', ' box'], 'displays': [' display', ' box'], 'boxes': [' box', ' display'], 'carton': [' case'], 'cases': [' case'],
  'boosterbox': [' booster box', ' booster display'], 'boosterdisplay': [' booster box', ' booster display'], 'boosters': [' booster'],
  'boosterpack': [' booster pack'], 'packs': [' pack'], 'pack': [' pack', ' bundle ', ' kit '], 'kit': [' kit', ' pack '],
  'fatpack': [' fat pack', ' bundle '], 'fat': [' fat', ' bundle '], 'bundle': [' bundle', ' fat pack '], 'bundles': [' bundle', ' fat pack '],
  'decks': [' deck'], 'precon': [' precon', ' deck '], 'precons': [' precon', ' deck '], 'preconstructed': [' precon', ' deck '],
  'edh': [' edh', ' commander'], 'holo': [' holo', ' foil '], 'holofoil': [' foil '], 'foils': [' foil']
}[word];

-- is_light: whether a word is dropped first where nothing has all words: it names a look that few catalogues name, or it is in most names
create macro search.is_light(word) as list_contains(string_split(
  'showcase etched borderless extended alt alternate altart fullart full art arts textless retro frame border bordered '
  || 'surge galaxy textured serialized serialised neon halo raised oilslick promo promos stamped holo holofoil foil foils '
  || 'red yellow blue a an and at by for from in of on or the to with', ' '), word);
