#!/bin/sh
# The login of the service, which owns nothing, and that of the standby. From now on the primary acknowledges only what its
# standby also has on disk: nothing is written before there is one.
set -e
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --set=ON_ERROR_STOP=1 --quiet <<END
CREATE ROLE soc_site;
CREATE ROLE soc_app LOGIN PASSWORD '$SOC_PASSWORD';
CREATE ROLE replicator LOGIN REPLICATION PASSWORD '$REPLICATION_PASSWORD';
ALTER SYSTEM SET synchronous_standby_names = '*';
END
