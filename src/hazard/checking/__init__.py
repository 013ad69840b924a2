"""The conformance test: whether a game keeps to the contract, with a position for everything that is wrong."""
