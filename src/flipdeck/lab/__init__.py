"""The laboratory: simulate and compare settings, with honest intervals and reports.  It needs ``flipdeck[bulk]``."""
