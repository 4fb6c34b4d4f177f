"""Rejected rows sent through their pipeline once more, as they stood or as somebody mended them."""
