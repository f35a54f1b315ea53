"""How much memory this machine and a process have."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def sized(number: int) -> str:
    """So many bytes in words: "4.7 GB", "12 MB"."""
    return f"{number / 1e9:.1f} GB" if number >= 1e9 else f"{max(number, 1_000_000) / 1e6:.0f} MB"


def total_memory() -> int | None:
    """Of this machine, in bytes; None where it does not tell."""
    return _meminfo("MemTotal") or _of_pages("SC_PHYS_PAGES")


def memory_of(pid: int) -> int | None:
    """That a process holds, in bytes, its mapped files included; None where it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    if Path("/proc/self").exists():
        return None
    try:
        told = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return int(told.stdout) * 1024 if told.stdout.strip().isdigit() else None


def _meminfo(name: str) -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:")), None)


def _of_pages(name: str) -> int | None:
    try:
        return os.sysconf(name) * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None
