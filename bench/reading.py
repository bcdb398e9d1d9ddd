"""How a document reads in a browser: time to its first text and to its last section, frames and memory.

    python -m bench.reading http://127.0.0.1:8000/documents/7/ [--runs 5]

A headless Chromium with an empty cache opens the page anew for each run, 1440 by 900. It needs the packages of
requirements-dev.txt.
"""

import argparse
import json
import statistics
from pathlib import Path
from typing import Any

import psutil
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-sync"]
MB = 1024 * 1024
WAIT_MS = 60_000
# Two frames after the first line of the text is in the page, so that it is painted.
NOTE_FIRST_TEXT = """
new MutationObserver((_, observer) => {
  if (!document.querySelector('.document-text .line, .document-text .provision-head')) return;
  observer.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => { window.firstText = performance.now(); }));
}).observe(document, { childList: true, subtree: true });
"""
FIRST_TEXT = """async () => {
  while (!window.firstText) await new Promise(requestAnimationFrame);
  return window.firstText;
}"""
# Until the section stands still inside the window for ten frames; the time is that of the first of these.
JUMP = """async () => {
  const eid = [...document.querySelectorAll('[data-eid]')].pop().dataset.eid;
  const started = performance.now();
  location.hash = eid;
  let since = 0, top = null, still = 0;
  while (still < 10) {
    await new Promise(requestAnimationFrame);
    const place = document.getElementById(eid)?.getBoundingClientRect();
    const inside = place && place.top >= 0 && place.top < innerHeight;
    if (!inside || place.top !== top) { still = 0; since = performance.now(); }
    else still += 1;
    top = place ? place.top : null;
  }
  return since - started;
}"""
# A screen's height every 100 ms, as somebody leafs through; the times between frames meanwhile.
SCROLL = """async () => {
  scrollTo(0, 0);
  const frames = [];
  let last = performance.now(), stepped = last;
  while (scrollY + innerHeight < document.documentElement.scrollHeight - 2) {
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - last);
    last = now;
    if (now - stepped >= 100) { scrollBy(0, innerHeight); stepped = now; }
  }
  return frames;
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    with sync_playwright() as playwright:
        runs = []
        for _ in range(given.runs):
            browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
            runs.append(read(browser, given.url))
            browser.close()
    print(json.dumps({name: round(statistics.median(run[name] for run in runs), 1) for name in runs[0]}, indent=2))


def read(browser: Browser, url: str) -> dict[str, float]:
    """One reading: milliseconds, megabytes and numbers by name."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.add_init_script(NOTE_FIRST_TEXT)
    page.goto(url)
    page.locator("[data-eid]").last.wait_for(timeout=WAIT_MS, state="attached")
    found = {
        "first_text_ms": page.evaluate(FIRST_TEXT),
        "jump_ms": page.evaluate(JUMP),
        "opened_mb": renderer_mb(browser),
    }
    frames = sorted(page.evaluate(SCROLL))
    return {
        **found,
        "frame_p95_ms": frames[int(len(frames) * 0.95)],
        "frame_max_ms": frames[-1],
        "parts_left": page.locator("[data-part]:not([data-loaded])").count(),
        "all_mb": renderer_mb(browser),
        **counters(page),
    }


def renderer_mb(browser: Browser) -> float:
    """The resident memory of the process that shows the page."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    ids = [process["id"] for process in processes if process["type"] == "renderer"]
    return max(psutil.Process(pid).memory_info().rss for pid in ids) / MB


def counters(page: Page) -> dict[str, Any]:
    """What the page holds."""
    session: CDPSession = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return {"heap_mb": metrics["JSHeapUsedSize"] / MB, "nodes": metrics["Nodes"]}


if __name__ == "__main__":
    main()
