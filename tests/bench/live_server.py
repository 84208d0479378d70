"""The site with a bell-ringer beside it, for the measurements of ``test_live_speed``: ``python -m tests.bench.live_server PORT``.

A line on standard input is an order: ``rate TABLES PER_SECOND SECONDS`` or ``once GAME``. Revisions are the microseconds of the
machine's monotonic clock at which the bell was rung, so that whoever hears one knows how old it is.
"""

import sys
import threading
import time

import uvicorn


def microseconds() -> int:
    return time.monotonic_ns() // 1000


def ring_on_order() -> None:
    from scoring.live import bells  # noqa: PLC0415 - wants Django's settings, which the application brings

    for line in sys.stdin:
        order, *numbers = line.split()
        if order == "once":
            bells.ring(int(numbers[0]), microseconds())
        if order == "rate":
            tables, per_second, seconds = map(int, numbers)
            start = time.monotonic()
            for turn in range(per_second * seconds):
                time.sleep(max(0.0, start + turn / per_second - time.monotonic()))
                bells.ring(1 + turn % tables, microseconds())


def main() -> None:
    config = uvicorn.Config("continental.asgi:application", port=int(sys.argv[1]), log_config=None, access_log=False, ws="none")
    config.load()
    threading.Thread(target=ring_on_order, daemon=True).start()
    uvicorn.Server(config).run()


if __name__ == "__main__":
    main()
