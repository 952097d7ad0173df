"""What Celery workers read: `dagster_celery.app` imports a module of this name from PYTHONPATH."""

import os

broker_url = os.environ["CELERY_BROKER"]
result_backend = os.environ["CELERY_BACKEND"]
# As in dagster.yaml.
task_default_queue = "dagster"
broker_connection_retry_on_startup = True
broker_transport_options = {"visibility_timeout": 172800}
# A worker takes a run when it can begin it, and no other one in advance.
worker_prefetch_multiplier = 1
