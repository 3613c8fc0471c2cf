"""Run the migrations on the connection that the store has opened."""

from alembic import context

from pbmstar.store.schema import metadata, tables

tables()  # the features' tables are in ``metadata`` once the features are loaded

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
