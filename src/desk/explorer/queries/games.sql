-- Each game with the reading in the lake and the newest known deployment.
with newest as (
  select game_id, arg_max(deployment_id, sequence) as deployment_id, max(sequence) as sequence from deployments group by game_id
)
select g.game_id, g.name, s.snapshot, s.deployment_id, s.deployed_at, s.extracted_at, s.products, s.expansions, s.prices, s.refused,
  s.deployment_id is distinct from n.deployment_id as is_behind, nights.nights
from games g
join snapshots s on s.game_id = g.game_id and s.is_current
left join newest n on n.game_id = g.game_id
left join (select game_id, count(*) as nights from nights group by game_id) nights on nights.game_id = g.game_id
order by g.name, g.game_id;
