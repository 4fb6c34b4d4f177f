"""Links that log a browser in once: for who came by a token, and should not have to type a password."""
