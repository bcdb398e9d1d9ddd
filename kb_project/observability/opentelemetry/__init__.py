"""Recording spans with the SDK of OpenTelemetry. Imported only where the environment asks for traces."""
