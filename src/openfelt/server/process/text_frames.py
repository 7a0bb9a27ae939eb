"""Text on a WebSocket that is not UTF-8: the socket is closed with 1007, as its protocol says.

uvicorn closes it too, but logs its own error, and fails if the client has closed the socket at the
same moment.
"""

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

_NOT_TEXT = 1007


class CheckedText(WebSocketsSansIOProtocol):
    """A WebSocket that checks text before anything else does."""

    def send_receive_event_to_app(self) -> None:
        """Pass a whole message on to the application, unless it is text that is not UTF-8."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.fail(_NOT_TEXT)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()
