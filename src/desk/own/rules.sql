-- own_rules: what a candidate is by what the facts of a row say of it. The first rule that fits a candidate counts
-- grain:  one row per rule
-- columns:
--   rank: strength; of a row's candidates those of the lowest rank count
--   outcome: match; doubt = the row is ambiguous; open = the candidate is only proposed to the reader
--   by: what the verdict says; null = the external id's system
--   product_id, external_id: agrees, contradicts or silent; answered = the reader answered that it is this product
--   place: named = in the set that the row names; extras, sister = in a set beside it; not here = the lake lacks the row's set; silent = it names none
--   number: agrees, contradicts, silent (the row has none), or unknown (the product has none)
--   name: agrees, like (one has more words), contradicts or silent
--   edition: agrees, contradicts or silent
--   is_only: whether the set and those beside it have no other product of the name
--   is_alone_enough: whether a name decides without a set: not if the lake lacks the only game of the tool
-- absent: null = any
create or replace temp table own_rules as
select rank, outcome, "by", string_split(product_id, '|') as product_ids, string_split(external_id, '|') as external_ids, string_split(place, '|') as places,
  string_split(number, '|') as numbers, string_split(name, '|') as names, string_split(edition, '|') as editions, is_only, is_alone_enough
from (values
  (5, 'match', 'your answer', 'answered', null, null, null, null, null, null, null),
  -- an id outranks codes and numbers, which differ between tools; another name makes it doubtful
  (10, 'match', 'product id', 'agrees', null, null, null, 'agrees|like|silent', null, null, null),
  (11, 'doubt', 'product id', 'agrees', null, null, null, 'contradicts', null, null, null),
  (20, 'match', null, 'silent', 'agrees', null, null, 'agrees|like|silent', null, null, null),
  (21, 'doubt', null, 'silent', 'agrees', null, null, 'contradicts', null, null, null),
  -- an external id that is not the product's decides nothing here: each language of a card has its own at some sources
  (30, 'match', 'set and number', 'silent', null, 'named', 'agrees', 'agrees|like|silent', 'agrees|silent', null, null),
  (40, 'match', 'name', 'silent', 'silent', 'named', 'silent', 'agrees', 'agrees|silent', null, null),
  (40, 'match', 'name', 'silent', null, 'named', 'silent', 'agrees', 'agrees|silent', true, null),
  -- a number that no product of the set has may be of the set's extras, which tools count with the set
  (40, 'match', 'name', 'silent', null, 'named|extras', 'unknown', 'agrees', 'agrees|silent', null, null),
  -- tools number old sets in their own way
  (45, 'match', 'name', 'silent', null, 'named', 'contradicts', 'agrees', 'agrees|silent', true, null),
  (50, 'match', 'name in a set beside it', 'silent', null, 'extras|sister', 'agrees', 'agrees', 'agrees|silent', null, null),
  (55, 'match', 'name in a set beside it', 'silent', null, 'extras|sister', 'silent|unknown', 'agrees', 'agrees|silent', null, null),
  (55, 'match', 'name in a set beside it', 'silent', null, 'extras|sister', 'contradicts', 'agrees', 'agrees|silent', true, null),
  -- without a number, an id of another print leaves all prints of the name
  (55, 'match', 'name', 'silent', 'contradicts', 'named', 'silent', 'agrees', 'agrees|silent', false, null),
  (60, 'match', 'name', 'silent', null, 'silent', null, 'agrees', 'agrees|silent', null, true),
  (70, 'open', 'another card', 'silent', null, 'named', 'agrees', 'contradicts', null, null, null),
  (71, 'open', 'another number', 'silent', null, 'named|extras|sister', 'contradicts', 'agrees', 'agrees|silent', false, null),
  (72, 'open', 'another edition', 'silent', null, 'named|extras|sister|silent', null, 'agrees|like', 'contradicts', null, null),
  (73, 'open', 'no such set', 'silent', null, 'not here', null, 'agrees', null, null, null),
  (74, 'open', 'no such game', 'silent', null, 'silent', null, 'agrees', null, null, false),
  (75, 'open', 'another set', 'silent', null, 'other', null, 'agrees', null, null, null)
) rules(rank, outcome, "by", product_id, external_id, place, number, name, edition, is_only, is_alone_enough);
