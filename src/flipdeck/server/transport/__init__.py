"""Connections: uvicorn's protocols with limits, the websocket endpoint, and one session for each client."""
