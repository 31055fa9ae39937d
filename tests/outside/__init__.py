"""A program that plays whole matches over HTTP and holds every answer against the model."""
