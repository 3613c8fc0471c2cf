"""Messages that came in and letters that go out."""
