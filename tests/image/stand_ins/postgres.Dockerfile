# Takes the variables and the command of the image pgvector/pgvector.
ARG BASE
FROM ${BASE}
RUN apt-get update \
    && apt-get install -y --no-install-recommends postgresql-17 postgresql-17-pgvector \
    && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/17 \
    && install -d -o 10001 -g 10001 /var/lib/postgresql
COPY postgres.sh /usr/local/bin/
ENV PATH=/usr/lib/postgresql/17/bin:$PATH PGDATA=/var/lib/postgresql/data
VOLUME /var/lib/postgresql
ENTRYPOINT ["postgres.sh"]
