"""What runs inside the confinement, beside untrusted code.

These files are mounted read-only and started by the subject's own interpreter: they work on Python 3.8 to 3.13, import
nothing but the standard library (and pytest, where the subject's tests need it), and are loaded by path under private
names, so that they neither shadow the subject's modules nor are shadowed by them. The lab itself imports only
:mod:`mendlab.verify.confined.frames` and :mod:`mendlab.verify.confined.function.wire`.
"""
