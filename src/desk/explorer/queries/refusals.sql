-- Records of a game that the contract refused at the last reading.
-- reads: $game
select list, record_id, path, reason, page, position, record from refusals where game_id = $game
