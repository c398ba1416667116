-- grain:  jobs: one row per import or export; every other table: only while their job is processing
-- units:  rows_done counts the rows of the file that are applied, so that a job continues where it was killed
-- absent: total is null until the job is processing; file_id and report_id are null once the files are deleted
create table if not exists jobs (
  id text primary key,
  account_id text not null references accounts (id),
  kind text not null check (kind in ('import', 'export')),
  status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
  format text not null check (format in ('json', 'csv')),
  mode text check (mode in ('upsert', 'replace')),
  preset text,
  filters text,
  origin text not null,
  source_id text,
  total integer,
  rows_done integer not null default 0,
  succeeded integer not null default 0,
  failed integer not null default 0,
  error_message text,
  file_id text,
  report_id text,
  created_at text not null,
  expires_at text
) strict;

create index if not exists jobs_to_run on jobs (id) where status in ('pending', 'processing');
create index if not exists job_files_by_end on jobs (expires_at) where file_id is not null or report_id is not null;

create table if not exists failed_rows (
  job_id text not null references jobs (id),
  row integer not null,
  code text not null,
  message text not null,
  primary key (job_id, row)
) strict, without rowid;

create table if not exists mentioned_lines (
  job_id text not null references jobs (id),
  line_id text not null,
  primary key (job_id, line_id)
) strict, without rowid;

-- How often a job was begun by a sandbox that was then killed: one that ends the sandbox is not tried for ever.
create table if not exists job_starts (
  job_id text primary key references jobs (id),
  starts integer not null
) strict, without rowid;

-- Of `replace`: products whose lines keep their quantity because a row about them was refused.
create table if not exists spared_products (
  job_id text not null references jobs (id),
  product_id integer not null,
  primary key (job_id, product_id)
) strict, without rowid;

-- Of `replace`: the first refused row of which not even the product is known. Then no line is set to zero.
create table if not exists unplaced_rows (
  job_id text primary key references jobs (id),
  row integer not null
) strict, without rowid;
