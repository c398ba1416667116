-- Cards of an expansion that are missing in the collections, each with the price of its cheapest finish.
-- reads: $game, $set
from collection_missing($set::bigint, game := $game)
