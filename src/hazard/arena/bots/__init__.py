"""Agents that are programs of their own, in any language: they read and write lines of JSON. See docs/bots.md."""
