#!/bin/sh
# The login of the service, which owns nothing. The owner's migrations give the two roles their rights.
set -e
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --set=ON_ERROR_STOP=1 --quiet <<END
CREATE ROLE soc_app;
CREATE ROLE soc_site;
CREATE ROLE soc_login LOGIN PASSWORD '$SOC_PASSWORD' IN ROLE soc_app, soc_site;
END
