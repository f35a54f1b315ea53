"""What the app needs of the sender of e-mails."""

from __future__ import annotations

from ingestion.digest_mailer import DigestMailer as DigestMailer
