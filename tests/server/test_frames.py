"""Frames of WebSockets that are made here: what a client reads from them is what was said, whatever its length."""

import pytest
from websockets.client import ClientProtocol
from websockets.protocol import State
from websockets.uri import parse_uri

from hazard.server.http.frames import EXTENSION, frame_of, sending


def read(data: bytes) -> list[bytes]:
    client = ClientProtocol(parse_uri("ws://localhost/"), state=State.OPEN, max_size=None)
    client.receive_data(data)
    assert client.parser_exc is None
    return [bytes(frame.data) for frame in client.events_received()]  # type: ignore[union-attr]


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 300_000])
def test_a_client_reads_what_was_framed(size: int) -> None:
    message = b"a" * size
    assert read(frame_of(message)) == [message]


def test_messages_go_out_together_where_that_is_known() -> None:
    messages = ["é".encode(), b"b" * 200, b"{}"]
    (whole,) = sending({"extensions": {EXTENSION: {}}}, messages)
    assert read(whole["frames"]) == messages
    one_by_one = sending({}, messages)
    assert [part["text"].encode() for part in one_by_one] == messages
