# SPDX-License-Identifier: MIT
"""NumPy arrays in and out of the library that softmax.mim becomes: softmax.py LIBRARY"""
import ctypes
import sys

import numpy
from numpy.ctypeslib import ndpointer

Matrix = ndpointer(numpy.float64, ndim=2, flags="C_CONTIGUOUS")
library = ctypes.CDLL(sys.argv[1])
library.softmax_rows.argtypes = [ctypes.c_uint64, ctypes.c_uint64, Matrix, Matrix]
library.softmax_rows.restype = None


def softmax(a):
    a = numpy.ascontiguousarray(a, dtype=numpy.float64)  # dense rows, as Mim has them
    b = numpy.empty_like(a)
    library.softmax_rows(*a.shape, a, b)
    return b


x = numpy.array([[1.0, 2.0, 3.0, 4.0], [-1.0, 0.0, 1000.0, 999.0], [0.5, 0.5, 0.5, 0.5]])
y = softmax(x)
e = numpy.exp(x - x.max(axis=1, keepdims=True))
print(y.shape, y.dtype)
print("rows sum to 1:", numpy.allclose(y.sum(axis=1), 1.0))
print("as NumPy computes it:", numpy.allclose(y, e / e.sum(axis=1, keepdims=True), rtol=1e-15, atol=0))
print(softmax(numpy.zeros((4, 1)).T))
