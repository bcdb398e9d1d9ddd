# Ceph's S3 gateway alone, on files. Debian has no SeaweedFS; this one checks signatures, as moto does not.
ARG BASE
FROM ${BASE}
RUN echo 'deb http://deb.debian.org/debian sid main' > /etc/apt/sources.list.d/sid.list \
    && apt-get -o Acquire::Check-Valid-Until=false update \
    && apt-get install -y --no-install-recommends -t sid radosgw \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o 10001 -g 10001 /data
COPY s3.sh /usr/local/bin/
VOLUME /data
ENTRYPOINT ["s3.sh"]
