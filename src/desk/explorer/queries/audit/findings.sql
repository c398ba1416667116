-- Ids in other systems that look wrong, found once for each lake file, because one product takes as long as all.
create table memory.main.findings as from id_audit;
