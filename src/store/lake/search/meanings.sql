-- meanings: what a word of a search text stands for besides itself, and words that need not match
-- grain:  one row per (word)
-- columns:
--   needles: texts of which a product must have one, each a beginning of a word; null = the word itself
--   is_light: true if the word is dropped first where nothing has all words: it names a look that few catalogues name, or it is in most names
create table search.meanings as
select word, any_value(needles) as needles, bool_or(is_light) as is_light
from (
  from (values
    ('display', [' display', ' box']), ('displays', [' display', ' box']), ('boxes', [' box', ' display']), ('carton', [' case']), ('cases', [' case']),
    ('boosterbox', [' booster box', ' booster display']), ('boosterdisplay', [' booster box', ' booster display']), ('boosters', [' booster']),
    ('boosterpack', [' booster pack']), ('packs', [' pack']), ('pack', [' pack', ' bundle ', ' kit ']), ('kit', [' kit', ' pack ']),
    ('fatpack', [' fat pack', ' bundle ']), ('fat', [' fat', ' bundle ']), ('bundle', [' bundle', ' fat pack ']), ('bundles', [' bundle', ' fat pack ']),
    ('decks', [' deck']), ('precon', [' precon', ' deck ']), ('precons', [' precon', ' deck ']), ('preconstructed', [' precon', ' deck ']),
    ('edh', [' edh', ' commander']), ('holo', [' holo', ' foil ']), ('holofoil', [' foil ']), ('foils', [' foil'])
  ) t(word, needles) select word, needles, false as is_light
  union all
  select unnest(string_split('showcase etched borderless extended alt alternate altart fullart full art arts textless retro frame border bordered '
    || 'surge galaxy textured serialized serialised neon halo raised oilslick promo promos stamped holo holofoil foil foils '
    || 'red yellow blue a an and at by for from in of on or the to with', ' ')), null, true
)
group by word;
