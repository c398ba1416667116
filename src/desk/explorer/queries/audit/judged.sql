-- Ids in other systems that look wrong, and those of them that a person has confirmed: kind `not wrong` as `judged`.
-- reads: memory.findings; $confirmed (JSON: a list of findings as own/confirmed-ids.json has them)
select f.*, if(c.game_id is null, f.kind, 'not wrong') as judged
from memory.main.findings f
left join (
  select distinct "gameId" as game_id, "productId" as product_id, kind, system, finish, "externalId" as external_id
  from (select unnest(from_json($confirmed::json,
    '[{"gameId":"VARCHAR","productId":"BIGINT","kind":"VARCHAR","system":"VARCHAR","finish":"VARCHAR","externalId":"VARCHAR"}]'), recursive := true))
) c
  on c.game_id = f.game_id and c.product_id = f.product_id and c.kind = f.kind and c.system = f.system
    and c.finish is not distinct from f.finish and c.external_id is not distinct from f.external_id
