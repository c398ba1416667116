-- Cards of an expansion that I do not have, each with the price of its cheapest finish.
-- reads: $game, $set
from collection_missing($set::bigint, game := $game)
