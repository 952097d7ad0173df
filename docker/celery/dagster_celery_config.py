"""What Celery workers read: `dagster_celery.app` imports a module of this name from PYTHONPATH."""

import os

# A worker holds a lock while it works on a run.
import aimsciqa_assets.orchestration.celery_runs  # noqa: F401

broker_url = os.environ["CELERY_BROKER"]
result_backend = os.environ["CELERY_BACKEND"]
# As in dagster.yaml.
task_default_queue = "dagster"
broker_connection_retry_on_startup = True
broker_transport_options = {"visibility_timeout": 172800} if broker_url.startswith("redis") else {}
# A worker takes a run when it can begin it, and no other one in advance: one that it had acknowledged before
# it ends would not count.
worker_prefetch_multiplier = 1
task_acks_late = True
