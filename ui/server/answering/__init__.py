"""Answering in processes of their own, so that pages need not wait for the interpreter that answers take."""
