"""The live lab: rooms for people, agents and bots over HTTP and WebSocket. See docs/server.md and docs/protocol.md."""
