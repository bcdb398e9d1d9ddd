#!/bin/sh
# Users are rows of SQLite, objects are files: without the filter of files, ranges of an object are read wrongly.
set -e
store="--rgw-backend-store=dbstore --rgw-config-store=dbstore --dbstore-config-uri=file:/data/config.db --dbstore-db-dir=/data/db"
files="--rgw-filter=posix --rgw-posix-base-path=/data/root --rgw-posix-database-root=/data/db"
mkdir -p /data/db /data/root
: > /tmp/ceph.conf
if [ ! -e /data/user ]; then
    # shellcheck disable=SC2086  # several options in one variable
    radosgw-admin -c /tmp/ceph.conf --no-mon-config $store user create --uid=kb --display-name=kb \
        --access-key="$AWS_ACCESS_KEY_ID" --secret-key="$AWS_SECRET_ACCESS_KEY" > /tmp/user.log 2>&1 ||
        { cat /tmp/user.log; exit 1; }
    touch /data/user
fi
# shellcheck disable=SC2086
exec radosgw -d -c /tmp/ceph.conf --no-mon-config -n client.rgw $store $files \
    --rgw-frontends="beast port=8333" --log-to-file=false --admin-socket=/tmp/rgw.asok
