"""The tasks of many workers on one PostgreSQL: what is wanted stands in our tables, and a task engine hands it out.

The engine is procrastinate rather than DBOS: only PostgreSQL has it, it costs least while idle, has several maintainers, notices
dead workers by itself and has no part that is not free. With a data folder alone nothing of this is used (ingestion/worker.py).
"""
