"""What the benchmark measures against: aiosmtpd that writes one fsynced file for each message."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from aiosmtpd.smtp import SMTP, Envelope, Session


class Files:
    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.count += 1
        name = self.folder / str(self.count)
        await asyncio.to_thread(self._write, name, envelope.content)
        return "250 OK"

    def _write(self, name: Path, content: bytes) -> None:
        with name.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())


async def main() -> None:
    handler = Files(Path(sys.argv[1]))
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(handler, enable_SMTPUTF8=False), "127.0.0.1", 0
    )
    print(f"listening on 127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
