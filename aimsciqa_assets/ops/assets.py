"""Tables about the pipeline itself, as assets."""

from aimsciqa_assets.orchestration.sql_assets import sql_asset

rejections = sql_asset("ops.rejections")
