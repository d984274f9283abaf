"""Reads exported files with the readers of the vtk wheel (vtkXdmfReader, vtkHDFReader) and compares each step with a JSON file:
{"files": [...], "steps": [{"time", "type", "points", "cells": [[VTK number, nodes...]], "arrays": {name: numbers}}]}.
Every number must be equal; symmetric tensors are xx xy xz yy yz zz there. The exit code is 1 when something differs."""

import json
import sys

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.vtkIOXdmf2 import vtkXdmfReader

# Components of VTK's tensors in the order of the files: full ones of XDMF, symmetric ones of VTKHDF.
TENSORS = {9: [0, 1, 2, 4, 5, 8], 6: [0, 3, 5, 1, 4, 2]}
# XDMF's points and lines become poly-vertices and poly-lines of one each.
SINGLE = {2: 1, 4: 3}


def leaf(data):
    """The one data set of a possibly composite output."""
    if not data.IsA('vtkCompositeDataSet'):
        return data
    found = []
    iterator = data.NewIterator()
    while not iterator.IsDoneWithTraversal():
        found.append(iterator.GetCurrentDataObject())
        iterator.GoToNextItem()
    assert len(found) == 1, '%d data sets' % len(found)
    return found[0]


def cells(data):
    for i in range(data.GetNumberOfCells()):
        nodes = data.GetCell(i).GetPointIds()
        kind = data.GetCellType(i)
        yield [SINGLE.get(kind, kind)] + [nodes.GetId(k) for k in range(nodes.GetNumberOfIds())]


def differences(data, step):
    points = vtk_to_numpy(data.GetPoints().GetData())
    if str(points.dtype) != step['type']:
        yield 'points are ' + str(points.dtype)
    if points.ravel().tolist() != step['points']:
        yield 'points differ'
    if list(cells(data)) != step['cells']:
        yield 'cells differ'
    names = [side.GetArrayName(i) for side in (data.GetPointData(), data.GetCellData())
             for i in range(side.GetNumberOfArrays())]
    if sorted(names) != sorted(step['arrays']):
        yield 'arrays are %s' % sorted(names)
        return
    for name, expected in step['arrays'].items():
        array = data.GetPointData().GetArray(name) or data.GetCellData().GetArray(name)
        values = vtk_to_numpy(array)
        if name == 'stress':
            values = values[:, TENSORS[array.GetNumberOfComponents()]]
        if values.ravel().tolist() != expected:
            yield name + ' differs'


def check(path, steps):
    reader = vtkHDFReader() if path.endswith('.vtkhdf') else vtkXdmfReader()
    if not reader.CanReadFile(path):
        return ['cannot be read']
    reader.SetFileName(path)
    reader.UpdateInformation()
    information, key = reader.GetOutputInformation(0), vtkStreamingDemandDrivenPipeline.TIME_STEPS()
    times = [information.Get(key, i) for i in range(information.Length(key))]
    if times != [step['time'] for step in steps]:
        return ['times are %r' % times]
    wrong = []
    for step in steps:
        reader.UpdateTimeStep(step['time'])
        wrong += ['t=%r: %s' % (step['time'], text) for text in differences(leaf(reader.GetOutputDataObject(0)), step)]
    return wrong


def main():
    with open(sys.argv[1]) as file:
        expected = json.load(file)
    failed = False
    for path in expected['files']:
        wrong = check(path, expected['steps'])
        failed = failed or bool(wrong)
        print('%s: %s' % (path, '; '.join(wrong) or 'ok'))
    return 1 if failed else 0


sys.exit(main())
