"""Cardlake every night at three, in parts: a mapped task for every game, on any worker, into a home in a bucket."""

import json
import shlex
from datetime import timedelta

import pendulum
from airflow import DAG
from airflow.decorators import task
from airflow.operators.bash import BashOperator

step = {
    "cwd": "/srv/cardlake",
    # The bucket's own settings, AWS_REGION and keys or a role, are the worker's.
    "env": {
        "CARDLAKE_URL": "{{ conn.cardlake.host }}",
        "CARDLAKE_API_KEY": "{{ conn.cardlake.password }}",
        "CARDLAKE_HOME": "s3://lakes/cards",
        "NIGHT": "{{ ti.xcom_pull(task_ids='night') or '' }}",
    },
    "append_env": True,
    # 3: held back, a person has to look. It is not tried again, and the other games go on.
    "skip_on_exit_code": 3,
    # 1: failed. 75: somebody else was faster, or a game is not ready.
    "retries": 4,
    "retry_delay": timedelta(minutes=2),
    "retry_exponential_backoff": True,
}

with DAG(
    dag_id="cardlake_parts",
    schedule="0 3 * * *",
    start_date=pendulum.datetime(2026, 1, 1, tz="Europe/Zurich"),
    catchup=False,
    max_active_runs=1,
):
    plan = BashOperator(task_id="plan", bash_command="node_modules/.bin/node pipelines/main.ts plan --json", **step)

    @task
    def night(planned):
        return json.loads(planned)["night"]

    @task
    def games(planned):
        # The heaviest game is the first.
        return [
            f"node_modules/.bin/node pipelines/main.ts nightly {shlex.quote(game['gameId'])} --part-of \"$NIGHT\" --json"
            for game in json.loads(planned)["games"]
        ]

    named = night(plan.output)
    nightly = BashOperator.partial(
        task_id="nightly", max_active_tis_per_dagrun=4, execution_timeout=timedelta(hours=8), **step
    ).expand(bash_command=games(plan.output))
    publish = BashOperator(
        task_id="publish",
        # Also if some games failed or were held: the others are published.
        trigger_rule="all_done",
        bash_command="node_modules/.bin/node pipelines/main.ts publish \"$NIGHT\" --json",
        **step,
    )
    named >> nightly >> publish
