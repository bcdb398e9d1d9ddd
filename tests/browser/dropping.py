"""Dropping files on a page as a person does from a file manager."""

import base64
from collections.abc import Mapping

from playwright.sync_api import Page

MAKE_TRANSFER = """files => {
  const transfer = new DataTransfer();
  for (const [name, content] of files) {
    const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
    transfer.items.add(new File([bytes], name));
  }
  return transfer;
}"""


def drop_files(page: Page, files: Mapping[str, bytes]) -> None:
    encoded = [[name, base64.b64encode(content).decode()] for name, content in files.items()]
    transfer = page.evaluate_handle(MAKE_TRANSFER, encoded)
    for event in ("dragenter", "dragover", "drop"):
        page.dispatch_event("[data-drop]", event, {"dataTransfer": transfer})
